package io.parterre.manager.plan.decide;

import io.parterre.manager.map.Split;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Leadership transfers that were asked for and are not yet seen to be done. They count at their
 * destination, because otherwise one imbalance would cause a second transfer, and are asked for
 * again each round. Known to the leading manager alone. Immutable.
 */
public final class LeadershipAsked {
    public static final LeadershipAsked NONE = new LeadershipAsked(Map.of());

    /** A leadership transfer that was asked for and has not happened is dropped after this time. */
    static final Duration WAITED_FOR = Duration.ofSeconds(10);

    /**
     * A leadership transfer that was asked for.
     *
     * @param from the leader when it was asked for; empty for any leader of a new range
     */
    private record Asked(Optional<NodeId> from, NodeId to, Instant since, Reason why) {
        boolean isFresh(Instant now) {
            return since.plus(WAITED_FOR).isAfter(now);
        }

        Asked of(NodeId leader) {
            return new Asked(Optional.of(leader), to, since, why);
        }
    }

    private final Map<RangeId, Asked> byRange;

    private LeadershipAsked(Map<RangeId, Asked> byRange) {
        this.byRange = byRange;
    }

    /**
     * Returns these with the transfer that follows a split: its child is led by the range's leader,
     * if the servers' own transfer failed within its time limit.
     */
    public LeadershipAsked with(Split split, Instant now) {
        if (split.childLeader().isEmpty() || byRange.containsKey(split.childId())) {
            return this;
        }
        Map<RangeId, Asked> more = new HashMap<>(byRange);
        more.put(
                split.childId(),
                new Asked(
                        Optional.empty(),
                        split.childLeader().get(),
                        now,
                        ReasonCode.LEADERSHIP_OF_CHILD.of(split.rangeId())));
        return new LeadershipAsked(more);
    }

    /** Returns the transfers that are asked for after this plan, which was made from the view. */
    public LeadershipAsked after(Plan plan, ClusterView view) {
        Map<RangeId, Asked> asked = new HashMap<>();
        byRange.forEach(
                (rangeId, each) -> {
                    boolean there = view.lastLeader(rangeId).filter(each.to()::equals).isPresent();
                    // No plan contains a range that the map does not hold yet.
                    if (each.from().isEmpty() && each.isFresh(view.now()) && !there) {
                        asked.put(rangeId, each);
                    }
                });
        for (Decision.TransferLead transfer : plan.leadTransfers()) {
            Asked before = byRange.get(transfer.rangeId());
            boolean same =
                    before != null
                            && before.isFresh(view.now())
                            && before.to().equals(transfer.to())
                            && before.from()
                                    .filter(from -> !from.equals(transfer.from()))
                                    .isEmpty();
            asked.put(
                    transfer.rangeId(),
                    same
                            ? before.of(transfer.from())
                            : new Asked(
                                    Optional.of(transfer.from()),
                                    transfer.to(),
                                    view.now(),
                                    transfer.why()));
        }
        return new LeadershipAsked(asked);
    }

    /** Returns the transfers that are in progress and can still succeed, by range. */
    List<Decision.TransferLead> underWay(ClusterView view) {
        List<Decision.TransferLead> underWay = new ArrayList<>();
        new TreeMap<>(byRange)
                .forEach(
                        (rangeId, asked) -> {
                            Optional<NodeId> last = view.lastLeader(rangeId);
                            boolean goes =
                                    asked.isFresh(view.now())
                                            && last.isPresent()
                                            && !last.get().equals(asked.to())
                                            && asked.from()
                                                    .filter(from -> !last.equals(Optional.of(from)))
                                                    .isEmpty()
                                            && view.map()
                                                    .ranges()
                                                    .find(rangeId)
                                                    .filter(
                                                            range ->
                                                                    canLead(
                                                                            view,
                                                                            range,
                                                                            asked.to()))
                                                    .isPresent();
                            if (goes) {
                                underWay.add(
                                        new Decision.TransferLead(
                                                rangeId, last.get(), asked.to(), asked.why()));
                            }
                        });
        return underWay;
    }

    private static boolean canLead(ClusterView view, RangeDescriptor range, NodeId node) {
        return range.members().contains(node)
                && view.takesMore(node)
                && view.health(range.rangeId(), node) == Health.HEALTHY;
    }
}
