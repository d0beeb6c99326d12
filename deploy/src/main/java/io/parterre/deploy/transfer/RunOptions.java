package io.parterre.deploy.transfer;

import io.parterre.deploy.ExitCode;
import io.parterre.deploy.client.Pace;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options for the speed of a transfer. */
final class RunOptions {
    private static final int PARALLEL_MAX = 256;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--parallel",
            paramLabel = "N",
            defaultValue = "8",
            description = "Parts that are transferred side by side, 1 to 256. Default: 8.")
    private int parallel;

    @Option(
            names = "--entities-per-second",
            paramLabel = "N",
            defaultValue = "0",
            description = "Not more than so many entities a second. Default: 0, as many as can be.")
    private long entitiesPerSecond;

    int parallel() {
        if (parallel < 1 || parallel > PARALLEL_MAX) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--parallel: " + parallel + " (expected: 1.." + PARALLEL_MAX + ")");
        }
        return parallel;
    }

    Pace pace() {
        if (entitiesPerSecond < 0) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--entities-per-second: " + entitiesPerSecond + " (expected: >= 0)");
        }
        return new Pace(entitiesPerSecond);
    }

    /** Prints the failure and returns the exit code. */
    static int failed(PrintWriter err, IOException failure) {
        err.println("parterre: " + failure.getMessage());
        boolean refused = failure instanceof TransferException known && !known.isPassing();
        if (!refused) {
            err.println("parterre: the same command goes on where this one ended");
        }
        return (refused ? ExitCode.REFUSED : ExitCode.FAILED).code();
    }
}
