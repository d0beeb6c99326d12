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
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Decides which ranges are cut: those of which more is asked than one should bear, hottest first,
 * and those that have grown too large. A range that is hot is cut only if another member can lead a
 * part of it and has less to do, since more ranges on one machine serve the same load slower. For
 * one round.
 */
final class SplitPlanner {
    /** A node takes half of a hot range if it then has at most this part of the leader's load. */
    private static final double WORTH_IT = 0.9;

    /**
     * A tail takes all that follows with it, so nobody has less to do for its going elsewhere: it
     * goes as long as the other node then has at most so much of what the leader has now.
     */
    private static final double TAIL_WORTH_IT = 1.25;

    /** A cut is worth one if it takes at least this much of the load away, in thousandths. */
    private static final int SHARE_MIN_PERMILLE = 150;

    /**
     * A tail is cut once it has been led for so long: what is cut off is a tail again, as hot as
     * before, and would be cut every few seconds.
     */
    private static final Duration TAIL_COOLDOWN = Duration.ofMinutes(5);

    /**
     * Of a leader that has just been started: its code is not compiled yet, and takes several times
     * the processor time that it will.
     */
    private static final Duration WARM_UP = Duration.ofMinutes(1);

    private final ClusterView view;
    private final SplitPolicy policy;
    private final int replicas;
    private final int replicasPerNodeMax;
    private final Ledger ledger;
    private final LeaderLoads loads;
    private final UncutRanges uncut;
    private final List<Decision> decisions = new ArrayList<>();
    private int splits;

    SplitPlanner(
            ClusterView view, Policy policy, Ledger ledger, LeaderLoads loads, UncutRanges uncut) {
        this.view = view;
        this.policy = policy.split();
        this.replicas = policy.replicas();
        this.replicasPerNodeMax = policy.replicasPerNodeMax();
        this.ledger = ledger;
        this.loads = loads;
        this.uncut = uncut;
        this.splits = view.map().splits().size();
    }

    /** A range that is to be cut, if it can be. */
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

    /** A range of a node without room is to go as it is: a cut makes more replicas to move. */
    private void leaveForRoom(NodeId leader, RangeDescriptor range) {
        decisions.add(
                new Decision.Leave(
                        Optional.of(range.rangeId()),
                        Decision.Cause.NODES_FULL,
                        "it is to be split, but node "
                                + leader
                                + ", which leads it, has "
                                + view.diskText(leader)));
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
        String what = what(load);
        if (load.observed().compareTo(observeFor(load)) < 0) {
            leave(hot, Decision.Cause.NOT_SETTLED, what + ", seen for a short while only");
            return;
        }
        Optional<NodeId> full = full(hot.range());
        if (full.isPresent()) {
            leave(hot, Decision.Cause.NODES_FULL, what + ", " + tooMany(full.get()));
            return;
        }
        if (isCrowded()) {
            leave(
                    hot,
                    Decision.Cause.NODES_FULL,
                    what + ", and with more replicas those of a lost node would find no room");
            return;
        }
        boolean tail = load.shape() == RangeLoad.Shape.MOVING_TAIL;
        if (tail && load.observed().compareTo(TAIL_COOLDOWN) < 0) {
            leave(
                    hot,
                    Decision.Cause.NOT_SETTLED,
                    what + ", on ever later keys, and it was cut or led elsewhere minutes ago");
            return;
        }
        if (load.shape() == RangeLoad.Shape.ONE_PARTITION) {
            leave(hot, Decision.Cause.ONE_PARTITION, what + ", most of them of one partition");
            return;
        }
        int share = 1_000 - load.cutPermille();
        if (load.cut().isEmpty()
                || !hot.range().bounds().contains(load.cut().get())
                || !tail && Math.min(share, load.cutPermille()) < SHARE_MIN_PERMILLE) {
            leave(
                    hot,
                    Decision.Cause.NO_CUT,
                    what
                            + ", no cut is known yet that would divide them: too few were seen, or"
                            + " none leaves a fair share on each side");
            return;
        }
        Optional<NodeId> to = idlest(hot);
        if (to.isEmpty()) {
            leave(hot, Decision.Cause.NO_NODE, what + ", no other member can lead a part of it");
            return;
        }
        // All that follows falls on the tail, no matter how much of the load has come from there.
        Demand moves = load.demand().times((tail ? 1_000 : share) / 1_000.0);
        double there = loads.with(to.get(), moves);
        if (there > loads.of(hot.leader()) * (tail ? TAIL_WORTH_IT : WORTH_IT)) {
            leave(
                    hot,
                    Decision.Cause.NO_BETTER_PLACE,
                    what
                            + String.format(
                                    Locale.ROOT,
                                    ", node %s would have %.0f then, node %s has %.0f now",
                                    to.get(),
                                    there,
                                    hot.leader(),
                                    loads.of(hot.leader())));
            return;
        }
        if (splits >= policy.splitsMax()) {
            leave(hot, Decision.Cause.TOO_MANY_MOVES, what + ", other ranges are being split");
            return;
        }
        loads.shift(hot.leader(), to.get(), moves);
        begin(
                hot.range(),
                new Decision.Split(
                        hot.range().rangeId(),
                        hot.range().generation(),
                        load.cut(),
                        to,
                        SplitReason.LOAD,
                        2,
                        what
                                + (tail
                                        ? ", on ever later keys: the tail is to be led by node "
                                        : ", "
                                                + share / 10
                                                + " % of them behind the cut, to be led by node ")
                                + to.get()));
    }

    private Duration observeFor(RangeLoad load) {
        boolean warmsUp =
                policy.isOfCpu(load.demand()) && policy.observeFor().compareTo(WARM_UP) < 0;
        return warmsUp ? WARM_UP : policy.observeFor();
    }

    /**
     * Whether ranges are not to become more for their load alone: nothing but a merge makes them
     * fewer, and that may be off.
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

    private String what(RangeLoad load) {
        Demand demand = load.demand();
        if (policy.isOfCpu(demand)) {
            return String.format(
                    Locale.ROOT,
                    "it takes %.2f of a core (limit: %.2f) for %.0f operations a second, as much"
                            + " as %.0f would if they took what the limits say",
                    demand.cpuPermille() / 1_000,
                    policy.cpuPermilleMax() / 1_000.0,
                    load.operationsPerSecond(),
                    policy.weigh(demand));
        }
        double refused = demand.operationsPerSecond() - load.operationsPerSecond();
        return String.format(
                Locale.ROOT,
                "%.0f operations a second are asked of it (limit: %d%s)",
                demand.operationsPerSecond(),
                policy.operationsPerSecondMax(),
                refused < 1 ? "" : String.format(Locale.ROOT, "; refused: %.0f", refused));
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
            // It is cut for its load.
            return;
        }
        String what =
                "it holds "
                        + PolicyUnit.bytesText(large.sizeBytes())
                        + " (limit: "
                        + PolicyUnit.BYTES.print(policy.bytesMax())
                        + ")";
        Optional<NodeId> full = full(range);
        if (full.isPresent()) {
            decisions.add(
                    new Decision.Leave(
                            Optional.of(range.rangeId()),
                            Decision.Cause.NODES_FULL,
                            what + ", " + tooMany(full.get())));
            return;
        }
        if (uncut.isLeft(range.rangeId(), view.now())) {
            decisions.add(
                    new Decision.Leave(
                            Optional.of(range.rangeId()),
                            Decision.Cause.NO_CUT,
                            what + ", and could not be cut some minutes ago"));
            return;
        }
        if (splits >= policy.splitsMax()) {
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
                        parts == 2 ? what : what + ", to be cut in " + parts));
    }

    /** A member that may hold no replica more: each gets one of the new range. */
    private Optional<NodeId> full(RangeDescriptor range) {
        return range.members().stream().filter(ledger::isFull).findFirst();
    }

    private static String tooMany(NodeId full) {
        return "node " + full + " holds as many replicas as a node may";
    }

    private void begin(RangeDescriptor range, Decision.Split split) {
        splits++;
        ledger.begin(range, split.parts() - 1);
        decisions.add(split);
    }

    private void leave(Hot hot, Decision.Cause cause, String why) {
        decisions.add(new Decision.Leave(Optional.of(hot.range().rangeId()), cause, why));
    }
}
