package io.parterre.deploy;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Entry point of the one distribution: {@code parterre <command>}. */
@Command(
        name = "parterre",
        description = "Self-hosted table storage that speaks the Azure Table REST protocol.",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class)
public final class Launcher implements Runnable {
    @Spec private CommandSpec spec;

    private Launcher() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** The command tree without the process around it, so that a test can run it. */
    static CommandLine commandLine() {
        return new CommandLine(new Launcher());
    }

    /** Without a command there is nothing to run: say so, show the usage, exit 2. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }
}
