package io.parterre.manager.map;

import io.parterre.manager.map.MapApply.Applied;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import java.util.Optional;

/**
 * Applies commands about nodes to a map. Deterministic: the same map and command give the same
 * result.
 */
record NodeApply(ClusterMap map) implements Application {
    Applied register(MapCommand.RegisterNode command) {
        NodeId nodeId = command.node().nodeId();
        if (map.hasLeft(command.node())) {
            return refused(ReasonCode.NODE_LEFT.of(nodeId));
        }
        Optional<ClusterNode> known = map.node(nodeId);
        Optional<ClusterNode> removed = known.filter(one -> one.state() == NodeState.REMOVED);
        ClusterNode node =
                command.node()
                        .withState(
                                known.filter(one -> removed.isEmpty())
                                        .map(ClusterNode::state)
                                        .orElse(NodeState.ACTIVE));
        MapOutcome outcome = new MapOutcome.Registered(node.nodeId());
        if (known.filter(node::equals).isPresent()) {
            return unchanged(outcome);
        }
        ClusterMap after = map.with(node);
        if (removed.isPresent()) {
            after = after.with(after.operations().withFormer(nodeId, removed.get().incarnation()));
        }
        if (known.filter(before -> relapses(before, node)).isPresent()) {
            after = after.with(after.operations().withRelapsed(node.nodeId()));
        }
        return new Applied(after, outcome, Optional.of(MapDelta.of(after, node)));
    }

    /**
     * Returns whether the node has lost what it may have held of a range that is not confirmed yet.
     */
    private boolean relapses(ClusterNode before, ClusterNode now) {
        return !before.incarnation().isEmpty()
                && !before.incarnation().equals(now.incarnation())
                && map.unconfirmed().stream()
                        .map(map.ranges()::find)
                        .flatMap(Optional::stream)
                        .anyMatch(range -> range.members().contains(now.nodeId()));
    }

    Applied setState(MapCommand.SetNodeState command) {
        NodeId nodeId = command.nodeId();
        Optional<ClusterNode> known = map.node(nodeId);
        if (known.isEmpty()) {
            return refused(ReasonCode.NODE_UNKNOWN.of(nodeId));
        }
        NodeState before = known.get().state();
        NodeState now = command.state();
        if (before == now && map.replacement(nodeId).equals(command.replacement())) {
            return unchanged(new MapOutcome.Done());
        }
        if (before != now && !before.mayBecome(now)) {
            return refused(ReasonCode.NODE_STATE.of(nodeId, before.word(), now.word()));
        }
        if (now == NodeState.REMOVED && isInUse(nodeId)) {
            return refused(ReasonCode.NODE_HOLDS_REPLICAS.of(nodeId));
        }
        ClusterNode node = known.get().withState(now);
        ClusterMap after =
                map.with(node)
                        .with(map.operations().withReplacement(nodeId, command.replacement()));
        return done(after, MapDelta.of(after, node));
    }

    private boolean isInUse(NodeId nodeId) {
        return !map.ranges().onNode(nodeId).isEmpty()
                || map.moves().stream().anyMatch(move -> move.concerns(nodeId));
    }

    Applied take(MapCommand.TakeDisruptionLease command) {
        return map.disruptionLease()
                .filter(lease -> lease.holdsAt(command.now()))
                .map(DisruptionLease::nodeId)
                .filter(holder -> !holder.equals(command.lease().nodeId()))
                .map(holder -> refused(ReasonCode.DISRUPTION_PERMIT_HELD.of(holder)))
                .orElseGet(() -> leased(Optional.of(command.lease())));
    }

    Applied giveBack(MapCommand.ReturnDisruptionLease command) {
        return leased(
                map.disruptionLease().filter(held -> !held.nodeId().equals(command.nodeId())));
    }

    private Applied leased(Optional<DisruptionLease> lease) {
        return operations(map.operations().withLease(lease));
    }
}
