package io.parterre.deploy.operator;

import io.parterre.deploy.CommandGroup;
import io.parterre.deploy.ExitCode;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.network.Transport;
import io.parterre.deploy.node.StartException;
import io.parterre.deploy.node.StoppedManager;
import io.parterre.manager.raft.LoneManager;
import io.parterre.proto.admin.ChangeManagersRequest;
import io.parterre.proto.admin.ChangeResponse;
import io.parterre.proto.admin.ListManagersRequest;
import io.parterre.proto.admin.ListManagersResponse;
import io.parterre.proto.admin.ManagerState;
import io.parterre.proto.admin.ManagerStatus;
import io.parterre.proto.manager.ManagerNode;
import io.parterre.range.NodeId;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parterre manager}. */
@Command(
        name = "manager",
        description = {
            "Shows and changes which partition managers there are, one at a time. A new one is",
            "started with an empty data folder and a list of managers that names it too; the others",
            "take it in when both the command was given and it runs, in any order."
        },
        subcommands = {
            ManagerCommands.ListAll.class,
            ManagerCommands.Add.class,
            ManagerCommands.Remove.class,
            ManagerCommands.Alone.class,
            ManagerCommands.Replace.class
        },
        footer = {
            "  parterre manager list",
            "  parterre manager add m4 --raft 10.0.0.4:10020 --service 10.0.0.4:10021",
            "  parterre manager replace m2 --with m4 --raft 10.0.0.4:10020 --service 10.0.0.4:10021",
            "  parterre manager remove m1"
        })
final class ManagerCommands extends CommandGroup {
    /** {@code parterre manager list}. */
    @Command(
            name = "list",
            description = {
                "Shows the partition managers, who of them leads, and what is waited for if they are",
                "not as they shall be."
            },
            footer = "  parterre manager list --json")
    static final class ListAll extends OperatorCommand<ListManagersResponse> {
        @Override
        ListManagersResponse ask(ManagerCalls calls, Transport transport) {
            return calls.ask(stub -> stub.listManagers(ListManagersRequest.getDefaultInstance()));
        }

        @Override
        void print(ListManagersResponse managers, PrintWriter out) {
            TextTable table =
                    new TextTable("MANAGER", "STATE", "LEADS", "SILENT", "RAFT", "SERVICE");
            for (ManagerStatus each : managers.getManagersList()) {
                table.row(
                        each.getManager().getNodeId(),
                        state(each.getState()),
                        each.getLeading() ? "yes" : "",
                        each.getSilentMillis() < 3_000 ? "" : each.getSilentMillis() / 1_000 + "s",
                        each.getManager().getRaftAddress(),
                        each.getManager().getServiceAddress());
            }
            table.print(out);
            if (!managers.getStep().isEmpty()) {
                out.println("waits: " + managers.getStep());
            }
        }

        private static String state(ManagerState state) {
            return switch (state) {
                case IN_GROUP -> "member";
                case EXPECTED, ENTERING, LEAVING -> state.name().toLowerCase(Locale.ROOT);
                case FORGETFUL -> "emptied";
                case MANAGER_STATE_UNSPECIFIED, UNRECOGNIZED -> "unknown";
            };
        }
    }

    /** Options for a manager's addresses. */
    private static final class Addresses {
        @Spec(Spec.Target.MIXEE)
        private CommandSpec spec;

        @Option(
                names = "--raft",
                paramLabel = "HOST:PORT",
                required = true,
                description = "By which the other managers reach its Raft server.")
        private String raft = "";

        @Option(
                names = "--service",
                paramLabel = "HOST:PORT",
                required = true,
                description = "By which servers, front ends and operators reach its service.")
        private String service = "";

        ManagerNode of(String id) {
            try {
                new NodeId(id);
                return ManagerNode.newBuilder()
                        .setNodeId(id)
                        .setRaftAddress(address(raft))
                        .setServiceAddress(address(service))
                        .build();
            } catch (IllegalArgumentException e) {
                throw new ParameterException(spec.commandLine(), e.getMessage(), e);
            }
        }

        private static String address(String text) {
            HostPort address = HostPort.parse(text);
            if (address.port() == 0) {
                throw new IllegalArgumentException(
                        "'" + text + "' (expected: a port that stays the same)");
            }
            return address.toString();
        }
    }

    /** {@code parterre manager add}. */
    @Command(
            name = "add",
            description = "Adds a partition manager, to be taken in once it runs.",
            footer = {
                "  parterre manager add m4 --raft 10.0.0.4:10020 --service 10.0.0.4:10021",
                "  parterre manager list"
            })
    static final class Add extends ChangeCommand {
        @Parameters(paramLabel = "ID", description = "Its lasting name.")
        private String id;

        @Mixin private Addresses addresses;

        @Override
        ChangeResponse change(ManagerCalls calls, boolean dry) {
            ChangeManagersRequest request =
                    ChangeManagersRequest.newBuilder()
                            .setAdd(addresses.of(id))
                            .setDryRun(dry)
                            .build();
            return calls.ask(stub -> stub.changeManagers(request));
        }
    }

    /** {@code parterre manager remove}. */
    @Command(
            name = "remove",
            description = {
                "Has a partition manager leave for good, or takes an addition back. Stop its process",
                "once manager list does not name it any more."
            },
            footer = "  parterre manager remove m1 --dry-run")
    static final class Remove extends ChangeCommand {
        @Parameters(paramLabel = "ID", description = "Which one.")
        private String id;

        @Override
        ChangeResponse change(ManagerCalls calls, boolean dry) {
            ChangeManagersRequest request =
                    ChangeManagersRequest.newBuilder().setRemove(id).setDryRun(dry).build();
            return calls.ask(stub -> stub.changeManagers(request));
        }
    }

    /** {@code parterre manager alone}. */
    @Command(
            name = "alone",
            description = {
                "Makes one of two partition managers the only one, when the other is lost for good:",
                "alone it is no majority of the two. Run where its data folder is, while it is",
                "stopped. Nothing that was acknowledged is lost, since both had it. The other one",
                "must never run again with the folder it had."
            },
            footer = {
                "  parterre manager alone --data-dir /var/lib/parterre --without m2 \\",
                "      --accept-loss"
            })
    static final class Alone implements Callable<Integer> {
        @Spec private CommandSpec spec;

        @Option(
                names = "--data-dir",
                paramLabel = "FOLDER",
                required = true,
                description = "Data folder of the one that stays.")
        private Path dataFolder;

        @Option(
                names = "--without",
                paramLabel = "ID",
                required = true,
                description = "The one that is lost.")
        private String without;

        @Option(
                names = "--accept-loss",
                required = true,
                description = "That the other one is given up, with whatever it holds.")
        private boolean accepted;

        @Override
        public Integer call() throws StartException {
            if (!accepted) {
                throw new ParameterException(spec.commandLine(), "--accept-loss: false");
            }
            LoneManager.Done done =
                    StoppedManager.becomeOnlyManager(dataFolder, new NodeId(without));
            PrintWriter out = spec.commandLine().getOut();
            out.println("the only manager, in group " + done.groupId());
            out.println("its log as it was lies in " + done.before());
            out.println(
                    "start it; then: parterre manager remove "
                            + without
                            + ", or start that one with an empty folder");
            return ExitCode.OK.code();
        }
    }

    /** {@code parterre manager replace}. */
    @Command(
            name = "replace",
            description = {
                "Has another partition manager take the place of one, which leaves once the new one",
                "is in. Without --with it is the same one under other addresses, with an empty",
                "folder."
            },
            footer = {
                "  parterre manager replace m2 --with m4 --raft 10.0.0.4:10020 \\",
                "      --service 10.0.0.4:10021",
                "  parterre manager replace m2 --raft 10.0.0.9:10020 --service 10.0.0.9:10021"
            })
    static final class Replace extends ChangeCommand {
        @Parameters(paramLabel = "ID", description = "The one that leaves.")
        private String old;

        @Option(
                names = "--with",
                paramLabel = "ID",
                description = "The one that takes its place. Default: the same.")
        private String with = "";

        @Mixin private Addresses addresses;

        @Override
        ChangeResponse change(ManagerCalls calls, boolean dry) {
            ChangeManagersRequest request =
                    ChangeManagersRequest.newBuilder()
                            .setRemove(old)
                            .setAdd(addresses.of(with.isEmpty() ? old : with))
                            .setDryRun(dry)
                            .build();
            return calls.ask(stub -> stub.changeManagers(request));
        }
    }
}
