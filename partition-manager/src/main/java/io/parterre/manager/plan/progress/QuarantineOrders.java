package io.parterre.manager.plan.progress;

import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.Regressions;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.release.Feature;
import java.util.Optional;
import java.util.OptionalLong;

/** Orders that follow from {@link Regressions}. Stateless and thread-safe. */
final class QuarantineOrders {
    private QuarantineOrders() {}

    /**
     * Returns the order to quarantine a member that lacks or lacked what it had acknowledged, or
     * whose rows differ from those of most members. Given only if the other members are a healthy
     * majority that has everything, because the member is rebuilt from them. A member that differs
     * and leads first gets the order to transfer leadership.
     */
    static Optional<Order> of(ClusterView view, NodeId nodeId, RangeDescriptor range) {
        RangeId rangeId = range.rangeId();
        boolean known = view.map().featureLevel().has(Feature.QUARANTINE_ORDERS);
        Optional<Long> lacked =
                view.lastReport(nodeId).map(heard -> heard.regressions().confirmed().get(rangeId));
        if (lacked.isPresent()) {
            return known && isDispensable(view, nodeId, range, lacked.get())
                    ? Optional.of(Order.QuarantineReplica.regressed(range, lacked.get()))
                    : Optional.empty();
        }
        OptionalLong differs = Regressions.differsAt(view, nodeId, rangeId);
        if (differs.isEmpty() || !isDispensable(view, nodeId, range, 0)) {
            return Optional.empty();
        }
        if (view.leader(rangeId).filter(nodeId::equals).isPresent()) {
            // The leader serves wrong rows, and the range would be unavailable until it has another
            // leader.
            return Orders.successor(view, range, nodeId)
                    .map(to -> new Order.TransferLead(rangeId, range.generation(), to));
        }
        return known
                ? Optional.of(Order.QuarantineReplica.differing(range, differs.getAsLong()))
                : Optional.empty();
    }

    /** Returns whether the other members are a majority, healthy, and have the entry. */
    private static boolean isDispensable(
            ClusterView view, NodeId nodeId, RangeDescriptor range, long index) {
        RangeId rangeId = range.rangeId();
        return range.members().stream()
                        .filter(member -> !member.equals(nodeId))
                        .filter(member -> view.health(rangeId, member) == Health.HEALTHY)
                        .filter(member -> Regressions.reaches(view, member, rangeId, index))
                        .filter(member -> !Regressions.isConfirmed(view, member, rangeId))
                        .filter(member -> Regressions.differsAt(view, member, rangeId).isEmpty())
                        .count()
                >= ClusterView.majority(range.members().size());
    }
}
