package io.parterre.deploy;

import io.parterre.deploy.certs.CertificateFolderException;
import io.parterre.deploy.certs.kubernetes.SecretsException;
import io.parterre.deploy.config.ConfigException;
import io.parterre.deploy.local.LocalClusterException;
import io.parterre.deploy.log.Logging;
import io.parterre.deploy.network.NetworkTransport;
import io.parterre.deploy.network.Transports;
import io.parterre.deploy.node.StartException;
import io.parterre.deploy.operator.OperatorCommands;
import io.parterre.deploy.operator.OperatorException;
import io.parterre.deploy.transfer.ExportCommand;
import io.parterre.deploy.transfer.ImportCommand;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Entry point of the one distribution: {@code parterre <command>}. */
@Command(
        name = "parterre",
        description = "Self-hosted table storage that speaks the Azure Table REST protocol.",
        subcommands = {
            EmbeddedCommand.class,
            PartitionManagerCommand.class,
            PartitionServerCommand.class,
            FrontEndCommand.class,
            LocalClusterCommand.class,
            CertsCommand.class,
            ConfigCommand.class,
            HealthCommand.class,
            SimulateCommand.class,
            ExportCommand.class,
            ImportCommand.class,
            ExerciseCommand.class,
            TrainCommand.class,
            VersionCommand.class,
            CommandLine.HelpCommand.class
        },
        footer = {
            "  parterre embedded                     all roles in this process",
            "  parterre help partition-manager       one role of a cluster of processes",
            "  parterre help embedded                its options",
            "  parterre local-cluster up             such a cluster on this machine",
            "  parterre status --manager HOST:PORT   how a cluster is",
            "  parterre exercise                     load on a table service, and what it lost",
            "  parterre config                       settings in effect and their sources"
        })
public final class Launcher extends CommandGroup {
    private static final int USAGE_WIDTH = 100;

    private Launcher() {}

    public static void main(String[] arguments) {
        Logging.begin();
        System.exit(commandLineFor(arguments).execute(arguments));
    }

    /**
     * Returns the commands that a process needs. A process that serves builds only its own command,
     * because the others cost a quarter of its start.
     */
    static CommandLine commandLineFor(String... arguments) {
        String first = arguments.length == 0 ? "" : arguments[0];
        return switch (first) {
            case "embedded" -> alone(first, new EmbeddedCommand());
            case "partition-manager" -> alone(first, new PartitionManagerCommand());
            case "partition-server" -> alone(first, new PartitionServerCommand());
            case "front-end" -> alone(first, new FrontEndCommand());
            default -> commandLine();
        };
    }

    private static CommandLine alone(String name, Callable<Integer> command) {
        CommandLine commandLine = new CommandLine(CommandSpec.create().name("parterre"));
        commandLine.addSubcommand(name, command);
        return completed(commandLine);
    }

    /** Returns the command tree without the process around it, so that a test can run it. */
    static CommandLine commandLine() {
        return commandLine(NetworkTransport::new);
    }

    /** Returns the command tree with operators' commands on another transport. */
    static CommandLine commandLine(Transports transports) {
        CommandLine commandLine = new CommandLine(new Launcher());
        OperatorCommands.addTo(commandLine, transports, BuildVersion.readHere());
        return completed(commandLine);
    }

    private static CommandLine completed(CommandLine commandLine) {
        commandLine.setExecutionExceptionHandler(Launcher::explain);
        commandLine.setParameterExceptionHandler(Launcher::refuse);
        commandLine.setUsageHelpWidth(USAGE_WIDTH);
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        Map<String, String> exitCodes = new LinkedHashMap<>();
        Arrays.stream(ExitCode.values())
                .forEach(code -> exitCodes.put(Integer.toString(code.code()), code.meaning()));
        complete(commandLine, exitCodes);
        return commandLine;
    }

    /** Sets what all commands have in common. */
    private static void complete(CommandLine command, Map<String, String> exitCodes) {
        CommandSpec spec = command.getCommandSpec();
        UsageMessageSpec usage = spec.usageMessage();
        spec.versionProvider(new BuildVersion());
        // Commands that are methods declare the help options themselves: options added later would
        // take the places of their parameters.
        if (!spec.helpCommand() && !spec.mixinStandardHelpOptions()) {
            spec.mixinStandardHelpOptions(true);
        }
        if (usage.footer().length > 0 && usage.footerHeading().isEmpty()) {
            usage.footerHeading("%nExamples:%n");
        }
        for (CommandLine each : command.getSubcommands().values()) {
            UsageMessageSpec told = each.getCommandSpec().usageMessage();
            told.exitCodeListHeading("%nExit codes:%n");
            told.exitCodeList(exitCodes);
            // In a list of commands only the first element of each description is shown, so it
            // becomes a sentence.
            told.description(String.join(" ", told.description()).split("(?<=[.:]) (?=[A-Z'])", 2));
            complete(each, exitCodes);
        }
    }

    /**
     * Prints the whole usage only for a command line without arguments; otherwise it would hide the
     * error.
     */
    private static int refuse(ParameterException refused, String[] arguments) {
        CommandLine where = refused.getCommandLine();
        PrintWriter err = where.getErr();
        err.println(refused.getMessage());
        if (arguments.length == 0) {
            where.usage(err);
            return ExitCode.USAGE.code();
        }
        CommandLine.UnmatchedArgumentException.printSuggestions(refused, err);
        err.println("try '" + where.getCommandSpec().qualifiedName() + " --help'");
        return ExitCode.USAGE.code();
    }

    /**
     * Prints only the message for problems that the operator can repair, and a stack trace for all
     * others.
     */
    private static int explain(Exception failure, CommandLine where, ParseResult parsed) {
        PrintWriter err = where.getErr();
        if (failure instanceof ConfigException config) {
            err.println("parterre: the configuration has problems:");
            config.problems().forEach(problem -> err.println("  " + problem));
            return ExitCode.USAGE.code();
        }
        if (failure instanceof OperatorException operator) {
            err.println("parterre: " + operator.getMessage());
            return operator.exitCode().code();
        }
        if (failure instanceof LocalClusterException
                || failure instanceof CertificateFolderException
                || failure instanceof SecretsException) {
            err.println("parterre: " + failure.getMessage());
            return ExitCode.FAILED.code();
        }
        if (failure instanceof StartException start) {
            err.println("parterre: " + start.getMessage());
            return start.exitCode().code();
        }
        err.println("parterre: failed");
        failure.printStackTrace(err);
        return ExitCode.FAILED.code();
    }
}
