package io.parterre.deploy.operator;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.parterre.deploy.ExitCode;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.ListNodesRequest;
import io.parterre.proto.admin.NodeStatus;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Describes the state of single servers. Stateless. */
final class NodeText {
    private static final List<String> UNITS = List.of("KiB", "MiB", "GiB", "TiB");

    private NodeText() {}

    static Optional<NodeStatus> find(ManagerCalls calls, String name) {
        ListNodesRequest request = ListNodesRequest.newBuilder().setNodeId(name).build();
        return calls.ask(stub -> stub.listNodes(request)).getNodesList().stream()
                .filter(each -> each.getNode().getNodeId().equals(name))
                .findFirst();
    }

    /**
     * Returns the server of this name.
     *
     * @throws OperatorException if there is no such node
     */
    static NodeStatus require(ManagerCalls calls, String name) {
        return find(calls, name)
                .orElseThrow(
                        () ->
                                new OperatorException(
                                        ExitCode.REFUSED, "node " + name + " does not exist"));
    }

    /**
     * Returns a channel to the server's services, closed by the caller; only this server may
     * answer.
     */
    static ManagedChannel connect(NodeStatus node, Transport transport) {
        return transport.connect(
                HostPort.parse(node.getNode().getServiceAddress()),
                PeerName.of(PeerRole.SERVER, node.getNode().getNodeId()));
    }

    /** Returns the exception for a request to a server itself that was not executed. */
    static OperatorException unanswered(
            NodeStatus node, String what, StatusRuntimeException failure, Duration waitedMax) {
        return new OperatorException(
                ExitCode.CLUSTER_UNREACHABLE,
                "node "
                        + node.getNode().getNodeId()
                        + ", asked at "
                        + node.getNode().getServiceAddress()
                        + " to "
                        + what
                        + ", "
                        + CallFailure.of(failure, "partition server", waitedMax).words());
    }

    /** Returns a number and what it counts, such as "1 replica" or "2 replicas". */
    static String count(long number, String one) {
        return number + " " + one + (number == 1 ? "" : "s");
    }

    /** Returns what a draining node still has to move. */
    static String toGo(NodeStatus node) {
        StringBuilder text = new StringBuilder();
        text.append(count(node.getReplicasToGo(), "replica"));
        if (node.getBytesToGo() > 0) {
            text.append(", ").append(bytes(node.getBytesToGo()));
        }
        if (node.getBytesPerSecond() > 0) {
            text.append(", ").append(bytes(node.getBytesPerSecond())).append("/s");
        }
        if (node.getSecondsToGo() > 0) {
            text.append(", about ").append(node.getSecondsToGo()).append(" s");
        }
        return text.toString();
    }

    static String bytes(long count) {
        if (count < 1_024) {
            return count + " B";
        }
        double scaled = count;
        int unit = -1;
        while (scaled >= 1_024 && unit < UNITS.size() - 1) {
            scaled /= 1_024;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %s", scaled, UNITS.get(unit));
    }
}
