package io.parterre.manager.plan.progress;

import io.parterre.manager.map.Merge;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.Optional;

/** Decides what a node has to do about merges. Stateless and thread-safe. */
final class MergeOrders {
    private MergeOrders() {}

    /** Returns the order of the merge's next step for this node; empty if there is none. */
    static Optional<Order> next(ClusterView view, NodeId nodeId, Merge merge) {
        RangeDescriptor left = view.map().ranges().find(merge.leftId()).orElseThrow();
        RangeDescriptor right = view.map().ranges().find(merge.rightId()).orElseThrow();
        MergeProgress progress = MergeProgress.of(view, merge);
        if (progress instanceof MergeProgress.Abandoned) {
            return Orders.change(view, nodeId, left, left.members());
        }
        if (!(progress instanceof MergeProgress.Going going)) {
            return Optional.empty();
        }
        return switch (going.step()) {
            case LEAD -> transfer(view, nodeId, left, right);
            case JOIN -> join(view, nodeId, left, right);
            case MEMBERS, LEADERS, LEVEL, WORD -> Optional.empty();
        };
    }

    private static Optional<Order> transfer(
            ClusterView view, NodeId nodeId, RangeDescriptor left, RangeDescriptor right) {
        return view.leader(left.rangeId())
                .filter(to -> Orders.leads(view, nodeId, right))
                .filter(to -> view.health(right.rangeId(), to) == Health.HEALTHY)
                .map(to -> new Order.TransferLead(right.rangeId(), right.generation(), to));
    }

    private static Optional<Order> join(
            ClusterView view, NodeId nodeId, RangeDescriptor left, RangeDescriptor right) {
        if (!Orders.leads(view, nodeId, left) || !Orders.leads(view, nodeId, right)) {
            return Optional.empty();
        }
        return view.replica(nodeId, right.rangeId())
                .map(
                        leading ->
                                new Order.MergeRanges(
                                        left.rangeId(),
                                        left.generation(),
                                        right.rangeId(),
                                        MergeProgress.unfrozen(leading)));
    }

    /**
     * Returns the order to thaw a range that is frozen although no merge needs it: a freeze may be
     * applied late, after the merge was forgotten. Only a map that has caught up with the frozen
     * descriptor proves that no merge is in progress. A deposed manager may lack a merge that was
     * begun since, but then it lacks the frozen descriptor as well.
     */
    static Optional<Order> thaw(ClusterView view, NodeId nodeId, RangeDescriptor range) {
        return view.replica(nodeId, range.rangeId())
                .filter(replica -> Orders.leads(view, nodeId, range))
                .filter(replica -> replica.frozenFor().isPresent())
                .filter(replica -> !mayBeAbsorbed(view, range.rangeId(), replica))
                .map(replica -> new Order.ThawRange(range.rangeId(), range.generation()));
    }

    private static boolean mayBeAbsorbed(
            ClusterView view, RangeId rangeId, NodeReport.Replica replica) {
        return view.map()
                .merge(rangeId)
                .filter(merge -> merge.rightId().equals(rangeId))
                .filter(merge -> replica.frozenFor().equals(Optional.of(merge.leftId())))
                .filter(merge -> MergeProgress.mayTakeEffect(view.map(), merge))
                .isPresent();
    }
}
