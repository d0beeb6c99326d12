package io.parterre.deploy.operator;

import io.parterre.deploy.CommandGroup;
import io.parterre.deploy.ExitCode;
import io.parterre.deploy.config.ConfigException;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.ChangeResponse;
import io.parterre.proto.admin.DisruptionLease;
import io.parterre.proto.admin.GetStatusRequest;
import io.parterre.proto.admin.Liveness;
import io.parterre.proto.admin.NodeStatus;
import io.parterre.proto.admin.ReturnDisruptionLeaseRequest;
import io.parterre.proto.admin.TakeDisruptionLeaseRequest;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parterre maintenance}: the disruption permit, which one server at a time may hold. */
@Command(
        name = "maintenance",
        description = {
            "Grants the disruption permit to one server at a time, and only if all ranges go on",
            "without that server. While a server holds the permit it leads nothing, and it is not",
            "declared dead."
        },
        subcommands = {
            MaintenanceCommands.Begin.class,
            MaintenanceCommands.End.class,
            MaintenanceCommands.Show.class
        },
        footer = {
            "  parterre maintenance begin node-1 --for 10m --wait && restart-it \\",
            "      && parterre maintenance end node-1 --wait",
            "  parterre maintenance show"
        })
final class MaintenanceCommands extends CommandGroup {
    /** {@code parterre maintenance begin}. */
    @Command(
            name = "begin",
            description = {
                "Requests the disruption permit for a server. With --wait it retries until no other",
                "server holds the permit and every range goes on without this server, and then waits",
                "until the server leads nothing. A repeat for the same server restarts the time."
            },
            footer =
                    "  parterre maintenance begin node-1 --for 10m --reason 'kernel update' --wait")
    static final class Begin extends OperatorCommand<DisruptionLease> {
        @Mixin private ServerChoice server;

        @Option(
                names = "--for",
                paramLabel = "DURATION",
                description = "How long it may be down. Default: ${DEFAULT-VALUE}.",
                converter = DurationConverter.class,
                defaultValue = "10m")
        private Duration length;

        @Option(
                names = "--reason",
                paramLabel = "TEXT",
                description = "Shown by 'parterre maintenance show'.")
        private String reason = "";

        @Mixin private DryRun dryRun;

        @Mixin private WaitOptions waiting;

        @Override
        DisruptionLease ask(ManagerCalls calls, Transport transport) throws ConfigException {
            String node = nameOf(server);
            TakeDisruptionLeaseRequest request =
                    TakeDisruptionLeaseRequest.newBuilder()
                            .setNodeId(node)
                            .setSeconds((int) Math.min(Integer.MAX_VALUE, length.toSeconds()))
                            .setReason(reason)
                            .setDryRun(dryRun.isWanted())
                            .build();
            if (dryRun.isWanted() || !waiting.isWanted()) {
                return calls.ask(stub -> stub.takeDisruptionLease(request));
            }
            DisruptionLease[] given = {DisruptionLease.getDefaultInstance()};
            NodeText.require(calls, node);
            Waiting wait = waitAtMost(waiting.max());
            wait.until(
                    () -> {
                        try {
                            given[0] = calls.ask(stub -> stub.takeDisruptionLease(request));
                            return Optional.empty();
                        } catch (OperatorException refused) {
                            if (refused.exitCode() != ExitCode.REFUSED) {
                                throw refused;
                            }
                            return Optional.of("no permit yet: " + refused.getMessage());
                        }
                    });
            wait.until(() -> leadsToGo(NodeText.require(calls, node)));
            return given[0];
        }

        /**
         * Returns how many ranges the server still leads; empty if none. A server that is not up
         * has no leadership to transfer.
         */
        private static Optional<String> leadsToGo(NodeStatus node) {
            return node.getLiveness() != Liveness.UP || node.getLeads() == 0
                    ? Optional.empty()
                    : Optional.of(
                            node.getNode().getNodeId()
                                    + ": "
                                    + NodeText.count(node.getLeads(), "led range")
                                    + " to go");
        }

        @Override
        void print(DisruptionLease answer, PrintWriter out) {
            dryRun.print(answer.getEffectsList(), out);
        }
    }

    /** {@code parterre maintenance end}. */
    @Command(
            name = "end",
            description = {
                "Returns the disruption permit of a server. With --wait only once the server is up",
                "again and its replicas have caught up, so that the next server may go down."
            },
            footer = {
                "  parterre maintenance end node-1 --wait --wait-max 5m",
                "  parterre maintenance end --self --wait --wait-max 2m"
            })
    static final class End extends OperatorCommand<ChangeResponse> {
        @Mixin private ServerChoice server;

        @Mixin private DryRun dryRun;

        @Mixin private WaitOptions waiting;

        @Override
        ChangeResponse ask(ManagerCalls calls, Transport transport) throws ConfigException {
            String node = nameOf(server);
            if (waiting.isWanted() && !dryRun.isWanted()) {
                waitAtMost(waiting.max()).until(() -> behind(NodeText.require(calls, node)));
            }
            ReturnDisruptionLeaseRequest request =
                    ReturnDisruptionLeaseRequest.newBuilder()
                            .setNodeId(node)
                            .setDryRun(dryRun.isWanted())
                            .build();
            return calls.ask(stub -> stub.returnDisruptionLease(request));
        }

        private static Optional<String> behind(NodeStatus node) {
            String name = node.getNode().getNodeId();
            if (node.getLiveness() != Liveness.UP) {
                return Optional.of(name + ": not up");
            }
            return node.getReplicasBehind() == 0
                    ? Optional.empty()
                    : Optional.of(
                            name
                                    + ": "
                                    + node.getReplicasBehind()
                                    + " of "
                                    + NodeText.count(node.getReplicas(), "replica")
                                    + " behind");
        }

        @Override
        void print(ChangeResponse answer, PrintWriter out) {
            dryRun.print(answer.getEffectsList(), out);
        }
    }

    /** {@code parterre maintenance show}. */
    @Command(
            name = "show",
            description = "Shows which server holds the disruption permit, how long and what for.",
            footer = "  parterre maintenance show --json")
    static final class Show extends OperatorCommand<DisruptionLease> {
        @Override
        DisruptionLease ask(ManagerCalls calls, Transport transport) {
            return calls.ask(stub -> stub.getStatus(GetStatusRequest.getDefaultInstance()))
                    .getDisruptionLease();
        }

        @Override
        void print(DisruptionLease answer, PrintWriter out) {
            out.println(text(answer));
        }

        static String text(DisruptionLease lease) {
            if (lease.getNodeId().isEmpty()) {
                return "no server holds the disruption permit";
            }
            return "node "
                    + lease.getNodeId()
                    + " may be down for "
                    + lease.getSecondsLeft()
                    + " s"
                    + (lease.getReason().isEmpty() ? "" : ": " + lease.getReason());
        }
    }
}
