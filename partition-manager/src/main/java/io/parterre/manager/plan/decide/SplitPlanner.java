package io.parterre.manager.plan.decide;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.SplitReason;
import io.parterre.manager.plan.policy.Demand;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.policy.PolicyUnit;
import io.parterre.manager.plan.policy.SplitPolicy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.LeadershipSummary;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.plan.view.RangeLoad;
import io.parterre.manager.reason.ByteCount;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Decides which ranges are split: those with too much load, hottest first, and those that are too
 * large. A hot range is split only if another, less busy member can lead a part of it, because more
 * ranges on one machine serve the same load slower. For one round.
 */
final class SplitPlanner {
    /**
     * A node takes a part of a hot range if its load is then at most this fraction of the leader's.
     */
    private static final double WORTH_IT = 0.9;

    /**
     * A tail takes all later load with it, so its transfer reduces no node's load. It moves if the
     * other node then has at most this multiple of the leader's present load.
     */
    private static final double TAIL_WORTH_IT = 1.25;

    /**
     * A split is worth its cost if each part has at least this share of the load, in thousandths.
     */
    private static final int SHARE_MIN_PERMILLE = 150;

    /**
     * Time for which a tail must have been led before it is split again. Otherwise the new part is
     * a tail again, as hot as before, and would be split every few seconds.
     */
    private static final Duration TAIL_COOLDOWN = Duration.ofMinutes(5);

    /**
     * Processor time of a leader counts only after this time. Just after its start, its code is not
     * compiled yet and takes several times as much.
     */
    private static final Duration WARM_UP = Duration.ofMinutes(1);

    private final ClusterView view;
    private final SplitPolicy policy;
    private final int replicas;
    private final int replicasPerNodeMax;
    private final Ledger ledger;
    private final LeaderLoads loads;
    private final UnsplittableRanges unsplittable;
    private final List<Decision> decisions = new ArrayList<>();
    private int splits;

    SplitPlanner(
            ClusterView view,
            Policy policy,
            Ledger ledger,
            LeaderLoads loads,
            UnsplittableRanges unsplittable) {
        this.view = view;
        this.policy = policy.split();
        this.replicas = policy.replicas();
        this.replicasPerNodeMax = policy.replicasPerNodeMax();
        this.ledger = ledger;
        this.loads = loads;
        this.unsplittable = unsplittable;
        this.splits = view.map().splits().size();
    }

    /** A range with too much load. */
    private record Hot(RangeDescriptor range, NodeId leader, RangeLoad load) {}

    /** A range that has grown too large. */
    private record Large(RangeDescriptor range, long sizeBytes) {}

    List<Decision> decide() {
        if (!policy.enabled()) {
            return List.of();
        }
        List<Hot> hot = new ArrayList<>();
        List<Large> large = new ArrayList<>();
        for (ClusterNode node : view.map().nodes()) {
            LeadershipSummary leads = view.leadSummary(node.nodeId());
            if (policy.isTooMuch(leads.hottest()) || leads.largestBytes() > policy.bytesMax()) {
                view.leading(node.nodeId())
                        .forEach(replica -> look(node.nodeId(), replica, hot, large));
            }
        }
        hot.sort(
                Comparator.comparingDouble((Hot each) -> -policy.weigh(each.load().demand()))
                        .thenComparing(each -> each.range().rangeId()));
        large.sort(Comparator.comparing(each -> each.range().rangeId()));
        hot.forEach(this::byLoad);
        large.forEach(this::bySize);
        return decisions;
    }

    /**
     * A range of a node with a full disk has to move undivided, because a split makes more replicas
     * to move.
     */
    private void leaveForRoom(NodeId leader, RangeDescriptor range) {
        leave(
                range,
                Decision.Cause.NODES_FULL,
                ReasonCode.SPLIT_WAITS_FOR_ROOM.of(leader, view.diskUse(leader)));
    }

    private void look(NodeId leader, NodeReport.Replica replica, List<Hot> hot, List<Large> large) {
        boolean tooMuch =
                replica.load().filter(each -> policy.isTooMuch(each.demand())).isPresent();
        boolean tooLarge = replica.sizeBytes() > policy.bytesMax() && view.map().nodes().size() > 1;
        if (!tooMuch && !tooLarge) {
            return;
        }
        Optional<RangeDescriptor> range =
                view.map()
                        .ranges()
                        .find(replica.rangeId())
                        .filter(known -> known.generation().equals(replica.generation()))
                        .filter(known -> !ledger.isChanging(known.rangeId()))
                        .filter(known -> view.map().isConfirmed(known.rangeId()));
        if (range.isPresent() && view.isDiskFull(leader)) {
            leaveForRoom(leader, range.get());
            return;
        }
        if (range.isPresent() && tooMuch) {
            hot.add(new Hot(range.get(), leader, replica.load().get()));
        }
        if (range.isPresent() && tooLarge) {
            large.add(new Large(range.get(), replica.sizeBytes()));
        }
    }

    private void byLoad(Hot hot) {
        RangeLoad load = hot.load();
        Reason why = why(load);
        if (load.observed().compareTo(observeFor(load)) < 0) {
            leave(hot.range(), Decision.Cause.NOT_SETTLED, ReasonCode.SEEN_SHORTLY.of(why));
            return;
        }
        Optional<NodeId> full = full(hot.range());
        if (full.isPresent()) {
            leave(
                    hot.range(),
                    Decision.Cause.NODES_FULL,
                    ReasonCode.MEMBER_IS_FULL.of(why, full.get()));
            return;
        }
        if (isCrowded()) {
            leave(hot.range(), Decision.Cause.NODES_FULL, ReasonCode.NO_ROOM_FOR_LOST.of(why));
            return;
        }
        boolean tail = load.shape() == RangeLoad.Shape.MOVING_TAIL;
        if (tail && load.observed().compareTo(TAIL_COOLDOWN) < 0) {
            leave(hot.range(), Decision.Cause.NOT_SETTLED, ReasonCode.TAIL_IS_YOUNG.of(why));
            return;
        }
        if (load.shape() == RangeLoad.Shape.ONE_PARTITION) {
            leave(hot.range(), Decision.Cause.ONE_PARTITION, ReasonCode.IS_ONE_PARTITION.of(why));
            return;
        }
        int share = 1_000 - load.splitPointPermille();
        if (load.splitPoint().isEmpty()
                || !hot.range().bounds().contains(load.splitPoint().get())
                || !tail && Math.min(share, load.splitPointPermille()) < SHARE_MIN_PERMILLE) {
            leave(
                    hot.range(),
                    Decision.Cause.NO_SPLIT_POINT,
                    ReasonCode.NO_SPLIT_POINT_IS_KNOWN.of(why));
            return;
        }
        Optional<NodeId> to = idlest(hot);
        if (to.isEmpty()) {
            leave(hot.range(), Decision.Cause.NO_NODE, ReasonCode.NO_OTHER_CAN_LEAD_PART.of(why));
            return;
        }
        // All later load falls on the tail, whatever its share was so far.
        Demand moves = load.demand().times((tail ? 1_000 : share) / 1_000.0);
        double there = loads.with(to.get(), moves);
        if (there > loads.of(hot.leader()) * (tail ? TAIL_WORTH_IT : WORTH_IT)) {
            leave(
                    hot.range(),
                    Decision.Cause.NO_BETTER_PLACE,
                    ReasonCode.OTHERS_ARE_BUSIER.of(
                            why, to.get(), there, hot.leader(), loads.of(hot.leader())));
            return;
        }
        if (splits >= policy.splitsMax()) {
            leave(hot.range(), Decision.Cause.TOO_MANY_MOVES, ReasonCode.OTHERS_ARE_SPLIT.of(why));
            return;
        }
        loads.shift(hot.leader(), to.get(), moves);
        begin(
                hot.range(),
                new Decision.Split(
                        hot.range().rangeId(),
                        hot.range().generation(),
                        load.splitPoint(),
                        to,
                        SplitReason.LOAD,
                        2,
                        tail
                                ? ReasonCode.TAIL_IS_LED_BY.of(why, to.get())
                                : ReasonCode.PART_IS_LED_BY.of(why, share / 10, to.get())));
    }

    private Duration observeFor(RangeLoad load) {
        boolean warmsUp =
                policy.isOfCpu(load.demand()) && policy.observeFor().compareTo(WARM_UP) < 0;
        return warmsUp ? WARM_UP : policy.observeFor();
    }

    /**
     * Returns whether the number of ranges must not grow for load alone. Only a merge reduces it,
     * and merges may be off.
     */
    private boolean isCrowded() {
        long nodes = 0;
        long held = 0;
        for (ClusterNode node : view.map().nodes()) {
            if (view.takesMore(node.nodeId())) {
                nodes++;
                held += ledger.replicas(node.nodeId());
            }
        }
        long places =
                nodes > replicas
                        ? (nodes - 1) * replicasPerNodeMax
                        : nodes * replicasPerNodeMax / 2;
        return held + replicas > places;
    }

    private Reason why(RangeLoad load) {
        Demand demand = load.demand();
        if (policy.isOfCpu(demand)) {
            return ReasonCode.TAKES_CPU.of(
                    demand.cpuPermille() / 1_000,
                    policy.cpuPermilleMax() / 1_000.0,
                    load.operationsPerSecond(),
                    policy.weigh(demand));
        }
        double refused = demand.operationsPerSecond() - load.operationsPerSecond();
        double asked = demand.operationsPerSecond();
        int limit = policy.operationsPerSecondMax();
        return refused < 1
                ? ReasonCode.IS_ASKED.of(asked, limit)
                : ReasonCode.IS_ASKED_AND_REFUSES.of(asked, limit, refused);
    }

    private Optional<NodeId> idlest(Hot hot) {
        return hot.range().members().stream()
                .filter(node -> !node.equals(hot.leader()))
                .filter(view::takesMore)
                .filter(node -> view.health(hot.range().rangeId(), node) == Health.HEALTHY)
                .min(
                        Comparator.comparingDouble(loads::of)
                                .thenComparing(Comparator.naturalOrder()));
    }

    private void bySize(Large large) {
        RangeDescriptor range = large.range();
        if (ledger.isChanging(range.rangeId())) {
            // The range is already being split for its load.
            return;
        }
        Reason why =
                ReasonCode.HOLDS.of(
                        new ByteCount(large.sizeBytes()),
                        PolicyUnit.BYTES.print(policy.bytesMax()));
        Optional<NodeId> full = full(range);
        if (full.isPresent()) {
            leave(range, Decision.Cause.NODES_FULL, ReasonCode.MEMBER_IS_FULL.of(why, full.get()));
            return;
        }
        if (unsplittable.isLeft(range.rangeId(), view.now())) {
            leave(range, Decision.Cause.NO_SPLIT_POINT, ReasonCode.COULD_NOT_BE_SPLIT.of(why));
            return;
        }
        if (splits >= policy.splitsMax()) {
            leave(range, Decision.Cause.TOO_MANY_MOVES, ReasonCode.OTHERS_ARE_SPLIT.of(why));
            return;
        }
        int parts = Math.min(policy.parts(large.sizeBytes()), 1 + ledger.roomOf(range.members()));
        begin(
                range,
                new Decision.Split(
                        range.rangeId(),
                        range.generation(),
                        Optional.empty(),
                        Optional.empty(),
                        SplitReason.SIZE,
                        parts,
                        parts == 2 ? why : ReasonCode.IS_SPLIT_IN.of(why, parts)));
    }

    /**
     * Returns a member that may hold no more replicas; empty if there is none. Each member gets a
     * replica of the new range.
     */
    private Optional<NodeId> full(RangeDescriptor range) {
        return range.members().stream().filter(ledger::isFull).findFirst();
    }

    private void begin(RangeDescriptor range, Decision.Split split) {
        splits++;
        ledger.begin(range, split.parts() - 1);
        decisions.add(split);
    }

    private void leave(RangeDescriptor range, Decision.Cause cause, Reason why) {
        decisions.add(new Decision.Leave(Optional.of(range.rangeId()), cause, why));
    }
}
