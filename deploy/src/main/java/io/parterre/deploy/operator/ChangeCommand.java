package io.parterre.deploy.operator;

import io.parterre.deploy.config.ConfigException;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.ChangeResponse;
import java.io.PrintWriter;
import picocli.CommandLine.Mixin;

/** A command that changes something. What it begins may continue after its answer. */
abstract class ChangeCommand extends OperatorCommand<ChangeResponse> {
    @Mixin private DryRun dryRun;

    /** Makes the change, or tells what would change. */
    abstract ChangeResponse change(ManagerCalls calls, boolean dry) throws ConfigException;

    /** Waits for the begun operation, if requested. */
    void await(ManagerCalls calls) {}

    @Override
    ChangeResponse ask(ManagerCalls calls, Transport transport) throws ConfigException {
        ChangeResponse answer = change(calls, dryRun.isWanted());
        if (!dryRun.isWanted()) {
            await(calls);
        }
        return answer;
    }

    @Override
    void print(ChangeResponse change, PrintWriter out) {
        if (change.getEffectsCount() == 0) {
            out.println(dryRun.isWanted() ? "nothing would change" : "nothing to change");
        }
        dryRun.print(change.getEffectsList(), out);
    }
}
