package io.parterre.deploy.operator;

import io.parterre.deploy.ExitCode;
import io.parterre.proto.admin.NodeStatus;
import io.parterre.proto.manager.NodeState;
import java.util.Optional;

/** What is waited for until a server has given away what it shall. Stateless. */
final class DrainWait {
    private DrainWait() {}

    /** Until it leads nothing. */
    static Optional<String> ofLeads(NodeStatus node) {
        requireDraining(node);
        return node.getLeads() == 0
                ? Optional.empty()
                : Optional.of(
                        node.getNode().getNodeId()
                                + ": "
                                + NodeText.count(node.getLeads(), "led range")
                                + " to go");
    }

    /** Until it holds and leads nothing. */
    static Optional<String> ofReplicas(NodeStatus node) {
        requireDraining(node);
        return node.getReplicasToGo() == 0
                ? Optional.empty()
                : Optional.of(node.getNode().getNodeId() + ": " + NodeText.toGo(node) + " to go");
    }

    /** Until it has left the cluster; one that is not listed has. */
    static Optional<String> ofNode(Optional<NodeStatus> node) {
        if (node.filter(each -> each.getNode().getState() != NodeState.REMOVED).isEmpty()) {
            return Optional.empty();
        }
        requireDraining(node.get());
        return Optional.of(
                node.get().getNode().getNodeId()
                        + (node.get().getReplicasToGo() == 0
                                ? ": holds nothing and is about to leave"
                                : ": " + NodeText.toGo(node.get()) + " to go"));
    }

    private static void requireDraining(NodeStatus node) {
        if (node.getNode().getState() == NodeState.NODE_STATE_UNSPECIFIED) {
            throw new OperatorException(
                    ExitCode.REFUSED,
                    "node " + node.getNode().getNodeId() + " was taken back into use meanwhile");
        }
    }
}
