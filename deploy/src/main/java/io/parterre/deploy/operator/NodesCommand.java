package io.parterre.deploy.operator;

import com.google.protobuf.Message;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.ListNodesRequest;
import io.parterre.proto.admin.ListNodesResponse;
import io.parterre.proto.admin.Liveness;
import io.parterre.proto.admin.NodeStatus;
import io.parterre.proto.manager.NodeState;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.Supplier;
import picocli.CommandLine.Command;

/** {@code parterre nodes}. */
@Command(
        name = "nodes",
        description = {
            "Shows the partition servers: whether they are heard of, what they hold, and what is",
            "still to go from those that drain."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = "  parterre nodes --manager 10.0.0.1:10021")
final class NodesCommand extends OperatorCommand {
    NodesCommand(Supplier<Transport> transports) {
        super(transports);
    }

    @Override
    Message ask(ManagerCalls calls, Transport transport) {
        return calls.ask(stub -> stub.listNodes(ListNodesRequest.getDefaultInstance()));
    }

    @Override
    void print(Message answer, PrintWriter out) {
        TextTable table =
                new TextTable(
                        "NODE",
                        "HEARD",
                        "STATE",
                        "REPLICAS",
                        "LEADS",
                        "TO GO",
                        "ZONE",
                        "SERVICE",
                        "RAFT",
                        "VERSION");
        for (NodeStatus each : ((ListNodesResponse) answer).getNodesList()) {
            table.row(
                    each.getNode().getNodeId(),
                    heard(each),
                    state(each.getNode().getState()),
                    each.getReplicas(),
                    each.getLeads(),
                    toGo(each),
                    each.getNode().getZone(),
                    each.getNode().getServiceAddress(),
                    each.getNode().getRaftAddress(),
                    each.getNode().getVersion());
        }
        table.print(out);
    }

    private static String heard(NodeStatus node) {
        String liveness = word(node.getLiveness());
        if (node.getLiveness() == Liveness.UP && node.getDiskStalled()) {
            return liveness + ", disk stalled";
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
            case LEADS_AWAY -> "leads away";
            case DRAINING, DECOMMISSIONING, REMOVED -> state.name().toLowerCase(Locale.ROOT);
            case UNRECOGNIZED -> "unknown";
        };
    }

    private static String toGo(NodeStatus node) {
        boolean leaves = node.getNode().getState() != NodeState.NODE_STATE_UNSPECIFIED;
        if (!leaves) {
            return "";
        }
        return node.getSecondsToGo() == 0
                ? Integer.toString(node.getReplicasToGo())
                : node.getReplicasToGo() + " (" + node.getSecondsToGo() + " s)";
    }
}
