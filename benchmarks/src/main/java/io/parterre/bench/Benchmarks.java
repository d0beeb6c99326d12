package io.parterre.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Entry point: {@code benchmarks/run <command>}. */
@Command(
        name = "benchmarks/run",
        description = {
            "Measures Parterre, its peers and its limits on this machine.",
            "Also: jmh [REGEX] [JMH OPTION...] for the micro benchmarks."
        },
        subcommands = {
            HttpCommand.class,
            EmbeddedCommand.class,
            PeersCommand.class,
            LoadCommand.class,
            ScanCommand.class,
            ClusterCommand.class,
            HotspotCommand.class,
            PatternsCommand.class,
            ObservabilityCommand.class
        })
public final class Benchmarks implements Runnable {
    @Spec private CommandSpec spec;

    private Benchmarks() {}

    public static void main(String[] arguments) {
        CommandLine commandLine = new CommandLine(new Benchmarks());
        complete(commandLine);
        System.exit(commandLine.execute(arguments));
    }

    private static void complete(CommandLine command) {
        command.getCommandSpec().mixinStandardHelpOptions(true);
        command.getSubcommands().values().forEach(Benchmarks::complete);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }
}
