package io.parterre.manager.plan.decide;

import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Zones;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;

/** Decides which ranges may be moved between two nodes for balance alone. For one round. */
final class MovableRanges {
    private final ClusterView view;
    private final Policy policy;
    private final Ledger ledger;

    MovableRanges(ClusterView view, Policy policy, Ledger ledger) {
        this.view = view;
        this.policy = policy;
        this.ledger = ledger;
    }

    /** Returns whether the range is healthy and unchanging, and the move spreads zones no worse. */
    boolean mayMove(RangeDescriptor range, NodeId from, NodeId to) {
        if (range.members().contains(to)
                || view.replica(to, range.rangeId()).isPresent()
                || range.members().size() != policy.replicas()
                || ledger.isChanging(range.rangeId())
                || !view.map().isConfirmed(range.rangeId())) {
            return false;
        }
        String fromZone = view.zone(from);
        String toZone = view.zone(to);
        if (!fromZone.equals(toZone)) {
            Zones zones = Zones.of(view, range.members());
            if (zones.in(toZone) + 1 > zones.in(fromZone)) {
                return false;
            }
        }
        return view.healthy(range) == range.members().size() && ledger.hasSpaceFor(range, to);
    }
}
