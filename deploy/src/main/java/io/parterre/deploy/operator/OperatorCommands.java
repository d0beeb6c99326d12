package io.parterre.deploy.operator;

import io.parterre.deploy.network.Transport;
import java.time.InstantSource;
import java.util.function.Supplier;
import picocli.CommandLine;

/** All commands of this package. */
public final class OperatorCommands {
    private OperatorCommands() {}

    /**
     * Adds them.
     *
     * @param transports makes the transport of one command, which closes it
     */
    public static void addTo(CommandLine parent, Supplier<Transport> transports) {
        parent.addSubcommand(new StatusCommand(transports));
        parent.addSubcommand(new NodesCommand(transports));
        parent.addSubcommand(new FrontEndsCommand(transports));
        parent.addSubcommand(new RangesCommand(transports));
        parent.addSubcommand(
                new CommandLine(new ExplainCommand())
                        .addSubcommand(new ExplainCommand.OfRange(transports))
                        .addSubcommand(new ExplainCommand.OfNode(transports)));
        parent.addSubcommand(new JournalCommand(transports, InstantSource.system()));
        CommandLine set = new CommandLine(new PolicyCommands.Set(transports, Caller::name));
        set.getCommandSpec().usageMessage().footer(PolicySettings.keys());
        parent.addSubcommand(
                new CommandLine(new PolicyCommands())
                        .addSubcommand(new PolicyCommands.Get(transports))
                        .addSubcommand(set));
        parent.addSubcommand(
                new CommandLine(new UpgradeCommands())
                        .addSubcommand(new UpgradeCommands.Status(transports))
                        .addSubcommand(new UpgradeCommands.Finalize(transports)));
        parent.addSubcommand(new WhatIfCommand(transports));
        parent.addSubcommand(new SplitCommand(transports));
        parent.addSubcommand(new MergeCommand(transports));
        parent.addSubcommand(new MoveLeaderCommand(transports));
        parent.addSubcommand(new MoveReplicaCommand(transports));
        parent.addSubcommand(
                new CommandLine(new RecoverCommand())
                        .addSubcommand(new RecoverCommand.OfRange(transports))
                        .addSubcommand(new RecoverEntryCommand(transports)));
        parent.addSubcommand(new DrainCommand(transports));
        parent.addSubcommand(new UndrainCommand(transports));
        parent.addSubcommand(new DecommissionCommand(transports));
        parent.addSubcommand(new ReplaceCommand(transports));
        parent.addSubcommand(
                new CommandLine(new MaintenanceCommands())
                        .addSubcommand(new MaintenanceCommands.Begin(transports))
                        .addSubcommand(new MaintenanceCommands.End(transports))
                        .addSubcommand(new MaintenanceCommands.Show(transports)));
        parent.addSubcommand(
                new CommandLine(new AccountCommands())
                        .addSubcommand(new AccountCommands.Create(transports))
                        .addSubcommand(new AccountCommands.ListAll(transports))
                        .addSubcommand(new AccountCommands.RotateKey(transports))
                        .addSubcommand(new AccountCommands.Suspend(transports))
                        .addSubcommand(new AccountCommands.Resume(transports)));
        parent.addSubcommand(
                new CommandLine(new ManagerCommands())
                        .addSubcommand(new ManagerCommands.ListAll(transports))
                        .addSubcommand(new ManagerCommands.Add(transports))
                        .addSubcommand(new ManagerCommands.Remove(transports))
                        .addSubcommand(new ManagerCommands.Alone())
                        .addSubcommand(new ManagerCommands.Replace(transports)));
        parent.addSubcommand(new FlushCommand(transports));
        parent.addSubcommand(new SnapshotCommand(transports));
    }
}
