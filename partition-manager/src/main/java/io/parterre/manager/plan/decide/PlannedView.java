package io.parterre.manager.plan.decide;

import io.parterre.key.Key;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapApply;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Merge;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.MoveEnd;
import io.parterre.manager.map.Split;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.LastReport;
import io.parterre.manager.plan.view.Liveness;
import io.parterre.manager.plan.view.LoadPeak;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.plan.view.RangeLoad;
import io.parterre.manager.plan.view.Regressions;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A cluster in which every decision takes effect at once: moved data has arrived, leadership is
 * transferred, and the parts of a split range have their shares of its load. Time stands still, so
 * no node falls silent. Not thread-safe.
 */
public final class PlannedView {
    private final Policy policy;
    private final Instant leadSince;
    private final Instant now;
    private final Map<NodeId, LastReport> heard;
    private final Map<RangeId, NodeId> leaders;
    private final Map<RangeId, LoadPeak> peaks;
    private ClusterMap map;

    /** Begins with the state of the view, which is not changed. */
    public PlannedView(ClusterView view) {
        this.policy = view.policy();
        this.leadSince = view.leadSince();
        this.now = view.now();
        this.heard = new HashMap<>(view.heard());
        this.leaders = new HashMap<>(view.leaders());
        this.peaks = new HashMap<>(view.peaks());
        this.map = view.map();
    }

    public ClusterView view() {
        return new ClusterView(map, heard, leaders, leadSince, now, policy, peaks);
    }

    /** Makes the node dead for long, and gives the ranges that it led other leaders. */
    void loses(NodeId nodeId) {
        ClusterNode node = map.node(nodeId).orElseThrow();
        Optional<LastReport> last = Optional.ofNullable(heard.get(nodeId));
        Collection<RangeId> ranges = map.ranges().onNode(nodeId);
        Map<RangeId, NodeReport.Replica> led = new HashMap<>();
        last.ifPresent(
                each ->
                        each.report()
                                .leading()
                                .forEach(replica -> led.put(replica.rangeId(), replica)));
        heard.put(
                nodeId,
                new LastReport(
                        new NodeReport(node, map.clusterId(), List.of()),
                        Instant.EPOCH,
                        Map.of(),
                        ranges));
        for (RangeId rangeId : ranges) {
            if (nodeId.equals(leaders.get(rangeId))) {
                leaders.remove(rangeId);
                elect(rangeId, Optional.ofNullable(led.get(rangeId)));
            }
        }
    }

    /** Finishes all operations in progress. */
    void finishes() {
        List.copyOf(map.moves()).forEach(this::finish);
        for (Split split : List.copyOf(map.splits())) {
            split.splitPoint().ifPresent(splitPoint -> finish(split, splitPoint));
        }
        for (Merge merge : List.copyOf(map.merges())) {
            if (merge.abandoned().isEmpty()) {
                finish(merge);
            }
        }
    }

    /** Carries out a plan. Returns whether anything changed. */
    public boolean carriesOut(Plan plan) {
        boolean changed = false;
        for (Decision decision : plan.decisions()) {
            changed |= decision.match(new CarriedOut());
        }
        return changed;
    }

    /** Carries out a decision and returns whether anything changed. */
    private final class CarriedOut implements Decision.Cases<Boolean> {
        @Override
        public Boolean change(Decision.ChangeMembers change) {
            return move(change);
        }

        @Override
        public Boolean transfer(Decision.TransferLead transfer) {
            return lead(transfer.rangeId(), transfer.to());
        }

        @Override
        public Boolean split(Decision.Split split) {
            return PlannedView.this.split(split);
        }

        @Override
        public Boolean merge(Decision.Merge merge) {
            return PlannedView.this.merge(merge);
        }

        @Override
        public Boolean leave(Decision.Leave leave) {
            return false;
        }
    }

    @SuppressWarnings("ReferenceEquality") // Any change creates another map.
    private boolean apply(MapCommand command) {
        ClusterMap before = map;
        map = MapApply.apply(map, command).map();
        return map != before;
    }

    private boolean move(Decision.ChangeMembers change) {
        Move move =
                new Move(
                        change.rangeId(),
                        change.add(),
                        change.remove(),
                        change.reason(),
                        change.decidedAt(),
                        now);
        if (!apply(new MapCommand.BeginMove(move))) {
            return false;
        }
        finish(move);
        return true;
    }

    private void finish(Move move) {
        RangeDescriptor range = range(move.rangeId());
        List<NodeId> members = new ArrayList<>(range.members());
        move.remove().ifPresent(members::remove);
        move.add().filter(node -> !members.contains(node)).ifPresent(members::add);
        Optional<NodeReport.Replica> led = leading(move.rangeId());
        if (!members.isEmpty()) {
            apply(
                    new MapCommand.UpdateRange(
                            range.rangeId(),
                            range.generation(),
                            range.generation().next(),
                            members));
        }
        apply(new MapCommand.EndMove(move, MoveEnd.DONE));
        range.members().stream()
                .filter(node -> !members.contains(node))
                .forEach(node -> report(node, range.rangeId(), Optional.empty()));
        holds(range.rangeId(), led, UnaryOperator.identity());
    }

    private boolean split(Decision.Split decision) {
        boolean begun =
                apply(
                        new MapCommand.BeginSplit(
                                decision.rangeId(),
                                decision.decidedAt(),
                                decision.splitPoint(),
                                decision.childLeader(),
                                decision.reason(),
                                now,
                                decision.parts()));
        if (begun) {
            // Without a split point, only the range's leader knows where half of the bytes lie.
            decision.splitPoint()
                    .ifPresent(splitPoint -> finish(splitOf(decision.rangeId()), splitPoint));
        }
        return begun;
    }

    private Split splitOf(RangeId rangeId) {
        return map.split(rangeId).orElseThrow();
    }

    private void finish(Split split, Key splitPoint) {
        RangeDescriptor range = range(split.rangeId());
        Optional<NodeReport.Replica> led = leading(split.rangeId());
        Optional<NodeId> leader = Optional.ofNullable(leaders.get(split.rangeId()));
        boolean done =
                apply(
                        new MapCommand.CompleteSplit(
                                split, splitPoint, range.generation().next(), range.members()));
        if (!done) {
            return;
        }
        int before =
                led.flatMap(NodeReport.Replica::load)
                        .map(RangeLoad::splitPointPermille)
                        .orElse(500);
        split.childLeader().or(() -> leader).ifPresent(node -> leaders.put(split.childId(), node));
        holds(split.rangeId(), led, load -> share(load, before));
        holds(split.childId(), led, load -> share(load, 1_000 - before));
    }

    /** The next split point is unknown until the load has been measured for a while. */
    private static RangeLoad share(RangeLoad load, int permille) {
        double part = permille / 1_000.0;
        return new RangeLoad(
                load.readsPerSecond() * part,
                load.writesPerSecond() * part,
                load.bytesPerSecond() * part,
                load.refusedPerSecond() * part,
                (int) (load.cpuPermille() * part),
                Duration.ZERO,
                RangeLoad.Shape.UNKNOWN,
                Optional.empty(),
                0);
    }

    private boolean merge(Decision.Merge decision) {
        Merge merge =
                new Merge(
                        decision.leftId(),
                        decision.rightId(),
                        decision.leftDecidedAt(),
                        decision.rightDecidedAt(),
                        decision.reason(),
                        now);
        if (!apply(new MapCommand.BeginMerge(merge))) {
            return false;
        }
        finish(merge);
        return true;
    }

    private void finish(Merge merge) {
        RangeDescriptor left = range(merge.leftId());
        RangeDescriptor right = range(merge.rightId());
        Optional<NodeReport.Replica> led = leading(left.rangeId());
        Optional<NodeReport.Replica> other = leading(right.rangeId());
        Generation last =
                left.generation().compareTo(right.generation()) < 0
                        ? right.generation()
                        : left.generation();
        if (!apply(new MapCommand.JoinRanges(merge, last.next(), left.members()))) {
            return;
        }
        leaders.remove(right.rangeId());
        right.members().forEach(node -> report(node, right.rangeId(), Optional.empty()));
        // The common load is known, but not whether it stays low for the window.
        peaks.remove(left.rangeId());
        peaks.remove(right.rangeId());
        long bytes = other.map(NodeReport.Replica::sizeBytes).orElse(0L);
        Optional<RangeLoad> more = other.flatMap(NodeReport.Replica::load);
        holds(left.rangeId(), led, bytes, load -> more.map(each -> sum(load, each)).orElse(load));
    }

    private static RangeLoad sum(RangeLoad one, RangeLoad other) {
        return new RangeLoad(
                one.readsPerSecond() + other.readsPerSecond(),
                one.writesPerSecond() + other.writesPerSecond(),
                one.bytesPerSecond() + other.bytesPerSecond(),
                one.refusedPerSecond() + other.refusedPerSecond(),
                one.cpuPermille() + other.cpuPermille(),
                Duration.ZERO,
                RangeLoad.Shape.UNKNOWN,
                Optional.empty(),
                0);
    }

    private boolean lead(RangeId rangeId, NodeId to) {
        if (to.equals(leaders.get(rangeId))) {
            return false;
        }
        Optional<NodeReport.Replica> led = leading(rangeId);
        leaders.put(rangeId, to);
        holds(rangeId, led, load -> settled(load, policy));
        return true;
    }

    private static RangeLoad settled(RangeLoad load, Policy policy) {
        return new RangeLoad(
                load.readsPerSecond(),
                load.writesPerSecond(),
                load.bytesPerSecond(),
                load.refusedPerSecond(),
                load.cpuPermille(),
                policy.split().observeFor(),
                load.shape(),
                load.splitPoint(),
                load.splitPointPermille());
    }

    private RangeDescriptor range(RangeId rangeId) {
        return map.ranges().find(rangeId).orElseThrow();
    }

    /** Returns the replica as the range's last leader reported it. */
    private Optional<NodeReport.Replica> leading(RangeId rangeId) {
        return Optional.ofNullable(leaders.get(rangeId))
                .map(heard::get)
                .flatMap(last -> last.report().replica(rangeId));
    }

    /** Makes the living member that leads fewest ranges the leader. */
    private void elect(RangeId rangeId, Optional<NodeReport.Replica> led) {
        ClusterView view = view();
        Map<NodeId, Integer> leads = new HashMap<>();
        leaders.values().forEach(node -> leads.merge(node, 1, Integer::sum));
        range(rangeId).members().stream()
                .filter(node -> view.health(rangeId, node) == Health.HEALTHY)
                .min(
                        Comparator.comparing((NodeId node) -> leads.getOrDefault(node, 0))
                                .thenComparing(Comparator.naturalOrder()))
                .ifPresent(node -> leaders.put(rangeId, node));
        holds(rangeId, led, load -> settled(load, policy));
    }

    /**
     * Makes all members that report have the range's data, at its generation, and its leader report
     * the load.
     */
    private void holds(
            RangeId rangeId, Optional<NodeReport.Replica> led, UnaryOperator<RangeLoad> load) {
        holds(rangeId, led, 0, load);
    }

    /** Does the same for a range that got more bytes than its leader reported. */
    private void holds(
            RangeId rangeId,
            Optional<NodeReport.Replica> led,
            long moreBytes,
            UnaryOperator<RangeLoad> load) {
        RangeDescriptor range = range(rangeId);
        NodeId leader = leaders.get(rangeId);
        if (leader == null || !range.members().contains(leader)) {
            leaders.remove(rangeId);
            ClusterView view = view();
            range.members().stream()
                    .filter(node -> view.liveness(node) == Liveness.UP)
                    .min(Comparator.naturalOrder())
                    .ifPresent(node -> leaders.put(rangeId, node));
            leader = leaders.get(rangeId);
        }
        for (NodeId member : range.members()) {
            boolean leads = member.equals(leader);
            report(
                    member,
                    rangeId,
                    Optional.of(
                            new NodeReport.Replica(
                                    rangeId,
                                    range.generation(),
                                    leads,
                                    led.map(NodeReport.Replica::appliedIndex).orElse(1L),
                                    led.map(NodeReport.Replica::flushedIndex).orElse(1L),
                                    range.members(),
                                    List.of(),
                                    false,
                                    led.map(each -> each.sizeBytes() + moreBytes).orElse(0L),
                                    Optional.empty(),
                                    leads ? Optional.of(range.bounds()) : Optional.empty(),
                                    leads
                                            ? led.flatMap(NodeReport.Replica::load).map(load)
                                            : Optional.empty(),
                                    Optional.empty(),
                                    Optional.empty(),
                                    NodeReport.Rows.AS_ALL)));
        }
    }

    /** Makes the node report this replica, or none. A dead node reports nothing. */
    private void report(NodeId nodeId, RangeId rangeId, Optional<NodeReport.Replica> replica) {
        LastReport last = heard.get(nodeId);
        if (last == null || view().liveness(nodeId) == Liveness.DEAD) {
            return;
        }
        NodeReport before = last.report();
        List<NodeReport.Replica> replicas = new ArrayList<>(before.replicas());
        replicas.removeIf(each -> each.rangeId().equals(rangeId));
        replica.ifPresent(replicas::add);
        Map<RangeId, Instant> missing = new HashMap<>(last.missingSince());
        missing.remove(rangeId);
        heard.put(
                nodeId,
                new LastReport(
                        new NodeReport(
                                before.node(),
                                before.clusterId(),
                                replicas,
                                before.damage(),
                                before.diskStalled(),
                                List.of(),
                                List.of(),
                                before.diskSpace(),
                                before.growthRefused()),
                        last.at(),
                        missing,
                        map.ranges().onNode(nodeId),
                        Optional.empty(),
                        Regressions.NONE,
                        last.diskLevel(),
                        last.clock()));
    }
}
