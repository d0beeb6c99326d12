package io.parterre.deploy.operator;

import io.parterre.deploy.config.ConfigException;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.ChangeResponse;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** A command that changes something. What it begins may continue after its answer. */
abstract class ChangeCommand extends OperatorCommand<ChangeResponse> {
    @Option(names = "--dry-run", description = "Tells what would be done, and does nothing.")
    private boolean dryRun;

    /** Makes the change, or tells what would change. */
    abstract ChangeResponse change(ManagerCalls calls, boolean dry) throws ConfigException;

    /** Waits for the begun operation, if requested. */
    void await(ManagerCalls calls) {}

    @Override
    ChangeResponse ask(ManagerCalls calls, Transport transport) throws ConfigException {
        ChangeResponse answer = change(calls, dryRun);
        if (!dryRun) {
            await(calls);
        }
        return answer;
    }

    @Override
    void print(ChangeResponse change, PrintWriter out) {
        if (change.getEffectsCount() == 0) {
            out.println(dryRun ? "nothing would change" : "nothing to change");
        }
        for (String effect : change.getEffectsList()) {
            out.println((dryRun ? "would: " : "") + effect);
        }
    }
}
