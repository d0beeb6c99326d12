package io.parterre.deploy.operator;

import io.parterre.deploy.ExitCode;
import io.parterre.proto.admin.NodeStatus;
import io.parterre.proto.manager.NodeState;
import java.util.Optional;

/** Conditions of the wait until a server is drained. Stateless. */
final class DrainWait {
    private DrainWait() {}

    /** Returns what remains until the server leads nothing; empty if nothing does. */
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

    /** Returns what remains until the server holds and leads nothing; empty if nothing does. */
    static Optional<String> ofReplicas(NodeStatus node) {
        requireDraining(node);
        return node.getReplicasToGo() == 0
                ? Optional.empty()
                : Optional.of(node.getNode().getNodeId() + ": " + NodeText.toGo(node) + " to go");
    }

    /**
     * Returns what remains until the server has left the cluster; empty if it has, also if it is
     * not listed.
     */
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
