package io.parterre.manager.plan.progress;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.Liveness;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.Optional;

/**
 * Decides whether a node that cannot use its store may discard and rebuild it: the node's data must
 * be safe without it, and no other node may be rebuilt at the same time. The nodes' reports alone
 * decide, so that another manager comes to the same result. Stateless and thread-safe.
 */
public final class StoreRebuildGate {
    private StoreRebuildGate() {}

    /**
     * Returns why the node gets no permission; empty if it gets it. The cost grows with the number
     * of replicas in the cluster.
     */
    public static Optional<Reason> obstacle(ClusterView view, NodeId nodeId) {
        Optional<Reason> needed = needed(view, nodeId);
        if (needed.isPresent()) {
            return needed;
        }
        for (ClusterNode other : view.map().nodes()) {
            if (other.state() == NodeState.REMOVED || other.nodeId().equals(nodeId)) {
                continue;
            }
            Optional<Reason> first = goesFirst(view, nodeId, other.nodeId());
            if (first.isPresent()) {
                return first;
            }
        }
        return Optional.empty();
    }

    /**
     * Returns a reason about a range that would not be safe without the node's data; empty if there
     * is none.
     */
    private static Optional<Reason> needed(ClusterView view, NodeId nodeId) {
        for (RangeId rangeId : view.map().ranges().onNode(nodeId)) {
            RangeDescriptor range = view.map().ranges().find(rangeId).orElseThrow();
            int needed = ClusterView.majority(range.members().size());
            int level = level(view, range, nodeId);
            if (range.members().size() == 1) {
                return Optional.of(ReasonCode.RANGE_HAS_NO_OTHER_MEMBER.of(rangeId));
            }
            if (!view.map().isConfirmed(rangeId)) {
                return Optional.of(ReasonCode.RANGE_IS_STILL_FOUNDED.of(rangeId));
            }
            if (level < needed) {
                return Optional.of(ReasonCode.RANGE_NEEDS_OTHERS.of(rangeId, needed, level));
            }
        }
        return Optional.empty();
    }

    /**
     * Counts the members other than the node that have all entries that the range's leader has
     * applied; 0 without a healthy leader.
     */
    private static int level(ClusterView view, RangeDescriptor range, NodeId without) {
        RangeId rangeId = range.rangeId();
        Optional<NodeId> leader =
                view.leader(rangeId)
                        .filter(node -> !node.equals(without))
                        .filter(node -> view.health(rangeId, node) == Health.HEALTHY);
        Optional<NodeReport.Replica> lead =
                leader.flatMap(node -> view.replica(node, rangeId))
                        .filter(replica -> replica.generation().equals(range.generation()));
        if (lead.isEmpty()) {
            return 0;
        }
        Duration silentMax = view.policy().suspectAfter();
        long followers =
                lead.get().followers().stream()
                        .filter(follower -> !follower.nodeId().equals(without))
                        .filter(follower -> range.members().contains(follower.nodeId()))
                        .filter(follower -> follower.matchIndex() >= lead.get().appliedIndex())
                        .filter(follower -> follower.silent().compareTo(silentMax) < 0)
                        .filter(
                                follower ->
                                        view.health(rangeId, follower.nodeId()) == Health.HEALTHY)
                        .count();
        return (int) followers + 1;
    }

    /**
     * Returns a reason if the other node is being rebuilt, is about to be, or may be so unnoticed.
     */
    private static Optional<Reason> goesFirst(ClusterView view, NodeId nodeId, NodeId other) {
        if (view.liveness(other) == Liveness.SUSPECT) {
            return Optional.of(ReasonCode.NODE_IS_UNHEARD.of(other));
        }
        if (view.damage(other).isPresent()) {
            boolean first = other.compareTo(nodeId) < 0 && needed(view, other).isEmpty();
            return first ? Optional.of(ReasonCode.NODE_REBUILDS_FIRST.of(other)) : Optional.empty();
        }
        boolean moves =
                view.map().moves().stream()
                        .filter(move -> move.rebuilds() && move.concerns(other))
                        .anyMatch(move -> isProgressing(view, move));
        boolean rebuilt =
                moves
                        || view.map().ranges().onNode(other).stream()
                                .anyMatch(rangeId -> isToBeRebuilt(view, rangeId, other));
        return rebuilt ? Optional.of(ReasonCode.NODE_IS_REBUILT.of(other)) : Optional.empty();
    }

    /** A move that waits for a majority may wait for this very node. */
    private static boolean isProgressing(ClusterView view, Move move) {
        return !(MoveProgress.of(view, move) instanceof MoveProgress.Going going
                && going.step() == MoveProgress.Step.MAJORITY);
    }

    /** A replica that cannot be rebuilt does not hold up others. */
    private static boolean isToBeRebuilt(ClusterView view, RangeId rangeId, NodeId member) {
        RangeDescriptor range = view.map().ranges().find(rangeId).orElseThrow();
        return view.health(rangeId, member) == Health.LOST
                && view.healthy(range) >= ClusterView.majority(range.members().size());
    }
}
