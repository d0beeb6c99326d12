package io.parterre.deploy.operator;

import io.parterre.deploy.network.Transports;
import java.util.List;
import picocli.CommandLine;

/** Adds all commands of this package. */
public final class OperatorCommands {
    private OperatorCommands() {}

    /**
     * Adds the commands, including the one that compares releases.
     *
     * @param transports creates the transport of one command, which closes it
     * @param release release of this process
     */
    public static void addTo(CommandLine parent, Transports transports, String release) {
        parent.addSubcommand(new DoctorCommand(release));
        addTo(parent, transports);
    }

    /**
     * Adds the commands that ask only managers.
     *
     * @param transports creates the transport of one command, which closes it
     */
    public static void addTo(CommandLine parent, Transports transports) {
        List.of(
                        new StatusCommand(),
                        new NodesCommand(),
                        new FrontEndsCommand(),
                        new RangesCommand(),
                        new ExplainCommand(),
                        new JournalCommand(),
                        new PolicyCommands(),
                        new UpgradeCommands(),
                        new WhatIfCommand(),
                        new SplitCommand(),
                        new MergeCommand(),
                        new MoveLeaderCommand(),
                        new MoveReplicaCommand(),
                        new RecoverCommand(),
                        new DrainCommand(),
                        new UndrainCommand(),
                        new DecommissionCommand(),
                        new ReplaceCommand(),
                        new MaintenanceCommands(),
                        new AccountCommands(),
                        new ManagerCommands(),
                        new BackupCommands(),
                        new FlushCommand(),
                        new SnapshotCommand())
                .forEach(parent::addSubcommand);
        parent.getSubcommands()
                .get("policy")
                .getSubcommands()
                .get("set")
                .getCommandSpec()
                .usageMessage()
                .footer(PolicySettings.keys());
        connect(parent, transports);
    }

    private static void connect(CommandLine parent, Transports transports) {
        for (CommandLine each : parent.getSubcommands().values()) {
            if (each.getCommandSpec().userObject() instanceof OperatorCommand<?> command) {
                command.connectBy(transports);
            } else if (each.getCommandSpec().userObject() instanceof DoctorCommand doctor) {
                doctor.connectBy(transports);
            }
            connect(each, transports);
        }
    }
}
