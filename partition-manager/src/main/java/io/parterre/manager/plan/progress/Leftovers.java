package io.parterre.manager.plan.progress;

import io.parterre.manager.map.DeadRange;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.Optional;

/** What becomes of replicas of ranges that no longer exist. Stateless; safe for any thread. */
final class Leftovers {
    private Leftovers() {}

    /**
     * To a node that holds a replica of a range that the map does not know: to remove it, if the
     * range is dead and nothing needs what it holds any more.
     */
    static Optional<Order> order(ClusterView view, NodeId nodeId, NodeReport.Replica replica) {
        return view.map()
                .dead(replica.rangeId())
                .filter(dead -> !isNeeded(view, nodeId, dead))
                .map(
                        dead ->
                                new Order.RemoveReplica(
                                        dead.rangeId(), above(dead.generation(), replica)));
    }

    /**
     * While a range is begun in its place, because it lost its majority, or in the place of what
     * has gone on instead of it, it may be what that has to be begun with. And if the node's own
     * replica of the range that absorbed it has not come to that yet, that one has need of it.
     */
    private static boolean isNeeded(ClusterView view, NodeId nodeId, DeadRange dead) {
        return isBeingRecovered(view, dead)
                || !dead.recovered()
                        && view.replica(nodeId, dead.successorId())
                                .filter(successor -> !successor.joining())
                                .filter(
                                        successor ->
                                                successor.generation().compareTo(dead.generation())
                                                        < 0)
                                .isPresent();
    }

    private static boolean isBeingRecovered(ClusterView view, DeadRange dead) {
        Optional<RangeId> successor = Optional.of(dead.successorId());
        while (successor.isPresent()) {
            if (view.map().recovery(successor.get()).isPresent()) {
                return true;
            }
            successor = view.map().dead(successor.get()).map(DeadRange::successorId);
        }
        return false;
    }

    /** A majority that was cut off from the managers may have gone on for a while. */
    private static Generation above(Generation dead, NodeReport.Replica replica) {
        Generation next = replica.generation().next();
        return next.compareTo(dead) < 0 ? dead : next;
    }
}
