package io.parterre.deploy.operator;

import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.ListNodesRequest;
import io.parterre.proto.admin.ListNodesResponse;
import io.parterre.proto.admin.Liveness;
import io.parterre.proto.admin.NodeStatus;
import io.parterre.proto.manager.NodeState;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parterre nodes}. */
@Command(
        name = "nodes",
        description = {
            "Shows the partition servers: whether they are heard of, what they hold, how full their",
            "disks are, and what is still to go from those that drain."
        },
        footer = "  parterre nodes --manager 10.0.0.1:10021")
final class NodesCommand extends OperatorCommand<ListNodesResponse> {
    @Option(names = "--all", description = "Shows those as well that have left for good.")
    private boolean all;

    @Override
    ListNodesResponse ask(ManagerCalls calls, Transport transport) {
        return calls.ask(
                stub -> stub.listNodes(ListNodesRequest.newBuilder().setRemoved(all).build()));
    }

    @Override
    void print(ListNodesResponse answer, PrintWriter out) {
        TextTable table =
                new TextTable(
                        "NODE",
                        "HEARD",
                        "STATE",
                        "REPLICAS",
                        "LEADS",
                        "MERGES",
                        "DISK",
                        "TO GO",
                        "ZONE",
                        "SERVICE",
                        "RAFT",
                        "VERSION");
        for (NodeStatus each : answer.getNodesList()) {
            table.row(
                    each.getNode().getNodeId(),
                    heard(each),
                    each.getDamage().isEmpty() ? state(each.getNode().getState()) : "damaged",
                    each.getReplicas(),
                    each.getLeads(),
                    each.getMergesInProgress(),
                    disk(each),
                    toGo(each),
                    each.getNode().getZone(),
                    each.getNode().getServiceAddress(),
                    each.getNode().getRaftAddress(),
                    each.getNode().getVersion());
        }
        table.print(out);
        for (NodeStatus each : answer.getNodesList()) {
            if (!each.getDamage().isEmpty()) {
                out.println(
                        "node "
                                + each.getNode().getNodeId()
                                + " cannot use its store: "
                                + each.getDamage());
            }
        }
    }

    private static String heard(NodeStatus node) {
        if (node.getNode().getState() == NodeState.REMOVED) {
            // A server that has left is no longer monitored.
            return "";
        }
        String liveness = word(node.getLiveness());
        if (node.getLiveness() == Liveness.UP && node.getDiskStalled()) {
            return liveness + ", disk stalled";
        }
        if (node.getLiveness() == Liveness.UP && node.getClockAheadMillis() > 0) {
            return liveness + ", clock ahead " + node.getClockAheadMillis() / 1_000 + "s";
        }
        return node.getLiveness() == Liveness.UP
                ? liveness
                : liveness + " " + node.getSilentMillis() / 1_000 + "s";
    }

    static String word(Liveness liveness) {
        return switch (liveness) {
            case UP, SUSPECT, DEAD -> liveness.name().toLowerCase(Locale.ROOT);
            case LIVENESS_UNSPECIFIED, UNRECOGNIZED -> "unknown";
        };
    }

    private static String state(NodeState state) {
        return switch (state) {
            case NODE_STATE_UNSPECIFIED -> "in use";
            case LEADERSHIP_DRAINED -> "leadership drained";
            case DRAINING, DECOMMISSIONING, REMOVED -> state.name().toLowerCase(Locale.ROOT);
            case UNRECOGNIZED -> "unknown";
        };
    }

    /** Returns the used part of the server's disk; empty string if unknown. */
    private static String disk(NodeStatus node) {
        return node.getDiskTotalBytes() == 0 ? "" : node.getDiskUsedPercent() + "%";
    }

    private static String toGo(NodeStatus node) {
        NodeState state = node.getNode().getState();
        if (state == NodeState.NODE_STATE_UNSPECIFIED || state == NodeState.REMOVED) {
            return "";
        }
        StringBuilder text = new StringBuilder(Integer.toString(node.getReplicasToGo()));
        if (node.getBytesToGo() > 0) {
            text.append(", ").append(NodeText.bytes(node.getBytesToGo()));
        }
        if (node.getSecondsToGo() > 0) {
            text.append(" (").append(node.getSecondsToGo()).append(" s)");
        }
        if (!node.getReplacedBy().isEmpty()) {
            text.append(" to ").append(node.getReplacedBy());
        }
        return text.toString();
    }
}
