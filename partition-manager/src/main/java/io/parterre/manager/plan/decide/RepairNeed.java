package io.parterre.manager.plan.decide;

import io.parterre.manager.map.MoveReason;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.Zones;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a range's members need.
 *
 * @param margin how many healthy members the range may lose before it is unavailable; negative if
 *     it is unavailable already
 * @param culprits the members concerned, worst first; may be empty
 * @param roomBytes bytes that a culprit with a full disk would free; 0 if the need is not about
 *     space
 */
record RepairNeed(
        RangeDescriptor range, MoveReason kind, int margin, List<NodeId> culprits, long roomBytes) {
    RepairNeed(RangeDescriptor range, MoveReason kind, int margin, List<NodeId> culprits) {
        this(range, kind, margin, culprits, 0);
    }

    /**
     * Returns whether a member's disk is too full. This need may last as long as no other disk has
     * room.
     */
    boolean isForRoom() {
        return roomBytes > 0;
    }

    /** Returns whether members are fewer or worse than they should be. */
    boolean isPressing() {
        return kind == MoveReason.REPAIR
                || kind == MoveReason.UNDER_REPLICATED
                || kind == MoveReason.OVER_REPLICATED;
    }

    boolean isAsEndangeredAs(RepairNeed other) {
        return kind == other.kind() && (!isPressing() || margin == other.margin());
    }

    private static final Comparator<Long> MOST_BUT_NONE_FIRST =
            Comparator.comparing((Long bytes) -> bytes != 0)
                    .thenComparing(Comparator.reverseOrder());

    /** Most endangered first. Needs without danger come last. */
    static final Comparator<RepairNeed> MOST_ENDANGERED_FIRST =
            Comparator.comparing((RepairNeed need) -> !need.isPressing())
                    .thenComparing(need -> need.isPressing() ? need.margin() : 0)
                    .thenComparing(RepairNeed::kind)
                    // What operators asked for comes first, then moves that free most space.
                    .thenComparing(RepairNeed::roomBytes, MOST_BUT_NONE_FIRST)
                    .thenComparing(need -> need.range().rangeId());

    /**
     * Judges a range without an operation in progress.
     *
     * @param open zones with a node that takes more
     */
    static Optional<RepairNeed> of(
            ClusterView view, Policy policy, Set<String> open, RangeDescriptor range) {
        boolean settled = range.members().size() == policy.replicas() && view.isSettled(range);
        return settled ? ofZones(view, open, range) : ofMembers(view, policy, open, range);
    }

    private static Optional<RepairNeed> ofMembers(
            ClusterView view, Policy policy, Set<String> open, RangeDescriptor range) {
        List<NodeId> gone = List.of();
        List<NodeId> waiting = List.of();
        List<NodeId> damaged = List.of();
        List<NodeId> leaving = List.of();
        List<NodeId> diskFull = List.of();
        int healthy = 0;
        for (NodeId member : range.members()) {
            Health health = view.memberHealth(range.rangeId(), member);
            if (health == Health.HEALTHY) {
                healthy++;
            }
            if (view.damage(member).isPresent() && health.isGone()) {
                waiting = with(waiting, member);
            } else if (health.isGone()) {
                gone = with(gone, member);
            } else if (view.damage(member, range.rangeId()).isPresent()) {
                damaged = with(damaged, member);
            } else if (view.isLeaving(member)) {
                leaving = with(leaving, member);
            } else if (view.isDiskFull(member)) {
                diskFull = with(diskFull, member);
            }
        }
        // Nodes without a usable store may wait for the repair of the others.
        gone = with(gone, waiting);
        int members = range.members().size();
        int margin = healthy - ClusterView.majority(members);
        if (members > policy.replicas()) {
            List<NodeId> worst = new ArrayList<>(gone);
            worst.addAll(damaged);
            worst.addAll(leaving);
            worst.addAll(diskFull);
            return Optional.of(new RepairNeed(range, MoveReason.OVER_REPLICATED, margin, worst));
        }
        if (!gone.isEmpty()) {
            return Optional.of(new RepairNeed(range, MoveReason.REPAIR, margin, gone));
        }
        if (members < policy.replicas()) {
            return Optional.of(
                    new RepairNeed(range, MoveReason.UNDER_REPLICATED, margin, List.of()));
        }
        if (!damaged.isEmpty()) {
            // After the other repairs, because a damaged replica still counts as a member that
            // serves.
            return Optional.of(new RepairNeed(range, MoveReason.REPAIR, margin, damaged));
        }
        if (!leaving.isEmpty()) {
            return Optional.of(new RepairNeed(range, MoveReason.DRAIN, margin, leaving));
        }
        // An empty range frees no space.
        long bytes = diskFull.isEmpty() ? 0 : view.sizeBytes(range);
        if (bytes > 0) {
            return Optional.of(new RepairNeed(range, MoveReason.DRAIN, margin, diskFull, bytes));
        }
        return ofZones(view, open, range);
    }

    /** Judges a range that has the right number of members, all of which stay. */
    private static Optional<RepairNeed> ofZones(
            ClusterView view, Set<String> open, RangeDescriptor range) {
        if (open.size() < 2 || Zones.areAllDifferent(view, range.members())) {
            return Optional.empty();
        }
        Zones zones = Zones.of(view, range.members());
        int margin = view.healthy(range) - ClusterView.majority(range.members().size());
        return zones.crowded(open)
                .map(
                        zone ->
                                new RepairNeed(
                                        range,
                                        MoveReason.ZONES,
                                        margin,
                                        range.members().stream()
                                                .filter(node -> view.zone(node).equals(zone))
                                                .toList()));
    }

    private static List<NodeId> with(List<NodeId> nodes, NodeId one) {
        return with(nodes, List.of(one));
    }

    private static List<NodeId> with(List<NodeId> nodes, List<NodeId> others) {
        List<NodeId> more = new ArrayList<>(nodes);
        more.addAll(others);
        return more;
    }
}
