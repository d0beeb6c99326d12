package io.parterre.manager.plan.progress;

import io.parterre.manager.map.DeadRange;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.Optional;

/** Decides about replicas of ranges that no longer exist. Stateless and thread-safe. */
final class Leftovers {
    private Leftovers() {}

    /**
     * Returns the order to remove a replica of a range that the map does not hold, if the range is
     * dead and its replica is not needed any more.
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
     * Returns whether the replica may still be needed. While the successor of a range that lost its
     * majority, or a successor of that successor, has not begun, it may have to begin with this
     * replica. If the range was absorbed, and the node's own replica of the absorbing range has not
     * applied that yet, that replica needs this one.
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

    /**
     * Returns a generation above the replica's, because a majority that was cut off from the
     * managers may have gone on for a while.
     */
    private static Generation above(Generation dead, NodeReport.Replica replica) {
        Generation next = replica.generation().next();
        return next.compareTo(dead) < 0 ? dead : next;
    }
}
