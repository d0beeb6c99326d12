package io.parterre.deploy;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code parterre version}: as {@code parterre --version}. */
@Command(name = "version", description = "Prints the version.")
final class VersionCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        spec.commandLine().getOut().println("parterre " + BuildVersion.read());
        return ExitCode.OK.code();
    }
}
