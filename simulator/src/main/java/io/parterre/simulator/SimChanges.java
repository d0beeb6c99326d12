package io.parterre.simulator;

import io.parterre.key.Key;
import io.parterre.manager.map.ClusterNode;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.Outcome;
import io.parterre.server.change.ChangeDriver;
import io.parterre.server.change.ChildDriver;
import io.parterre.server.change.CommandDriver;
import io.parterre.server.change.MemberChange;
import io.parterre.server.change.MemberWaits;
import io.parterre.server.change.MergeDriver;
import io.parterre.server.change.MergeOrder;
import io.parterre.server.change.SplitOrder;
import io.parterre.server.change.TransferDriver;
import io.parterre.server.command.ReplicaCommand;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Carries out nodes' changes of ranges that they lead, one at a time for each range. Verdicts and
 * steps are the server's.
 */
final class SimChanges {
    private static final Duration COMMAND_MAX = Duration.ofSeconds(5);
    private static final Duration SILENT_MAX = Duration.ofSeconds(1);
    private static final Duration TRANSFER_MAX = Duration.ofSeconds(1);

    /** Members answer within seconds, and members that lag may have to be awaited. */
    private static final MergeDriver.Limits MERGE_LIMITS =
            new MergeDriver.Limits(Duration.ofSeconds(6), COMMAND_MAX, Duration.ofSeconds(1));

    private final SimState state;
    private final SimLogs logs;

    /** Percentage of merges that the leader undoes after it has begun them. */
    int stallPercent;

    SimChanges(SimState state) {
        this.state = state;
        this.logs = new SimLogs(state);
    }

    boolean isAnyUnderWay() {
        return state.nodes.values().stream().anyMatch(node -> !node.underWay.isEmpty());
    }

    private Optional<SimGroup> led(SimNode node, RangeId rangeId) {
        return Optional.ofNullable(state.groups.get(rangeId))
                .filter(group -> group.isLedBy(node.nodeId()));
    }

    private static boolean begin(SimNode node, SimGroup group) {
        return group.isLedBy(node.nodeId()) && node.underWay.add(group.rangeId());
    }

    private void end(SimNode node, SimGroup group) {
        node.underWay.remove(group.rangeId());
        node.changed = true;
    }

    private void run(
            SimNode node,
            SimGroup group,
            Optional<? extends ChangeDriver<?>> driver,
            Runnable onDone) {
        driver.ifPresentOrElse(each -> run(node, group, each, onDone), () -> end(node, group));
    }

    /** Runs a driver, and then {@code onDone} if it has done something. */
    private void run(SimNode node, SimGroup group, ChangeDriver<?> driver, Runnable onDone) {
        ChangeRun.begin(
                new SimChange(state, this, node, false, group),
                driver,
                (last, changed) -> {
                    end(node, group);
                    if (changed) {
                        onDone.run();
                    }
                });
    }

    Outcome apply(SimNode node, SimGroup group, ReplicaCommand command) {
        return logs.apply(node.nodeId(), group, command, child -> childCreated(node, child));
    }

    private Set<NodeId> configured(SimGroup group) {
        return Set.copyOf(group.members());
    }

    void changeMembers(
            SimNode node, RangeId rangeId, Generation generation, List<ClusterNode> wanted) {
        Optional<SimGroup> found = led(node, rangeId).filter(group -> begin(node, group));
        if (found.isEmpty()) {
            return;
        }
        SimGroup group = found.get();
        MemberChange change =
                new MemberChange(generation, wanted.stream().map(SimNode::member).toList());
        MemberChange.Step step =
                change.next(group.descriptor, configured(group), Set.of(), node.nodeId());
        Invariant.holds(
                step != MemberChange.Step.WITHOUT_LEADER,
                "leader %s does not take itself out",
                node.nodeId());
        Invariant.holds(
                step != MemberChange.Step.CONFIGURE || isOneStep(group, wanted),
                "one change of range %s at a time",
                rangeId);
        run(
                node,
                group,
                change.driver(step, rangeId, MemberWaits.DEFAULT.configureMax(), COMMAND_MAX),
                () -> {});
    }

    private static boolean isOneStep(SimGroup group, List<ClusterNode> wanted) {
        long kept = wanted.stream().filter(each -> group.members().contains(each.nodeId())).count();
        return wanted.size() + group.members().size() - 2 * kept <= 1;
    }

    void transferLeadership(
            SimNode node, RangeId rangeId, Generation at, NodeId to, Runnable onDone) {
        led(node, rangeId).ifPresent(group -> transferLeadership(node, group, at, to, onDone));
    }

    void transferLeadership(
            SimNode node, SimGroup group, Generation at, NodeId to, Runnable onDone) {
        if (group.generation().equals(at) && !to.equals(node.nodeId()) && begin(node, group)) {
            run(
                    node,
                    group,
                    new TransferDriver(
                            group.rangeId(), node.nodeId(), to, SILENT_MAX, TRANSFER_MAX),
                    onDone);
        }
    }

    /** Returns the verdict on the order; empty if the node does not lead the range. */
    Optional<SplitOrder.Verdict> split(SimNode node, SplitOrder order) {
        return led(node, order.rangeId()).map(group -> split(node, group, order));
    }

    private SplitOrder.Verdict split(SimNode node, SimGroup group, SplitOrder order) {
        List<Key> splitPoints =
                order.splitPoint()
                        .map(List::of)
                        .orElseGet(() -> state.splitPoints(group.bounds(), order.parts()));
        List<RangeDescriptor> children =
                order.childIds().stream()
                        .filter(node.replicas::containsKey)
                        .flatMap(id -> Optional.ofNullable(state.groups.get(id)).stream())
                        .map(child -> child.descriptor)
                        .toList();
        SplitOrder.Verdict verdict =
                order.verdict(group.descriptor, splitPoints, configured(group), Set.of(), children);
        if (verdict == SplitOrder.Verdict.SPLIT && begin(node, group)) {
            order.childLeader()
                    .ifPresent(to -> node.childLeaders.put(order.firstChildId(), to, nowNanos()));
            run(node, group, order.driver(splitPoints, COMMAND_MAX), () -> {});
        }
        return verdict;
    }

    /**
     * Elects this node leader of a child that was just created here, then transfers leadership as
     * the split planned.
     */
    private void childCreated(SimNode node, SimGroup child) {
        Map<RangeId, NodeId> leaders = new TreeMap<>();
        node.childLeaders
                .take(child.rangeId())
                .ifPresent(leader -> leaders.put(child.rangeId(), leader));
        ChangeRun.begin(
                new SimChange(state, this, node, false, child),
                new ChildDriver(node.nodeId(), List.of(child.rangeId()), leaders),
                (last, changed) -> {});
    }

    /** Returns the verdict on the order; empty if the node does not lead the left range. */
    Optional<MergeOrder.Verdict> merge(SimNode node, MergeOrder order) {
        return led(node, order.leftId())
                .map(
                        left ->
                                node.endedMerges
                                        .answer(order, nowNanos())
                                        .orElseGet(() -> merge(node, left, order)));
    }

    private MergeOrder.Verdict merge(SimNode node, SimGroup left, MergeOrder order) {
        Optional<SimGroup> right =
                Optional.ofNullable(state.groups.get(order.rightId()))
                        .filter(group -> node.replicas.containsKey(group.rangeId()));
        MergeOrder.Verdict verdict =
                order.verdict(side(node, left), right.map(group -> side(node, group)));
        Invariant.holds(
                verdict != MergeOrder.Verdict.NOT_NEIGHBOURS,
                "ranges %s and %s are neighbours",
                order.leftId(),
                order.rightId());
        if (verdict == MergeOrder.Verdict.MERGE && begin(node, left)) {
            if (begin(node, right.orElseThrow())) {
                begin(node, left, order, right.get());
            } else {
                end(node, left);
            }
        } else if (verdict == MergeOrder.Verdict.THAW) {
            thaw(node, order.rightId(), right.orElseThrow().generation());
        }
        return verdict;
    }

    private MergeOrder.Side side(SimNode node, SimGroup group) {
        return new MergeOrder.Side(
                group.descriptor, group.isLedBy(node.nodeId()), configured(group), Set.of());
    }

    private void begin(SimNode node, SimGroup left, MergeOrder order, SimGroup right) {
        boolean stalls = state.random.nextInt(100) < stallPercent;
        ChangeRun.begin(
                new SimChange(state, this, node, stalls, left, right),
                new MergeDriver(order, node.nodeId(), MERGE_LIMITS),
                (last, changed) -> {
                    MergeOrder.Verdict verdict = ((MergeDriver.State.Ended) last).verdict();
                    node.endedMerges.ended(order, verdict, nowNanos());
                    end(node, left);
                    end(node, right);
                });
    }

    void thaw(SimNode node, RangeId rangeId, Generation frozen) {
        led(node, rangeId)
                .filter(group -> begin(node, group))
                .ifPresent(
                        group ->
                                run(
                                        node,
                                        group,
                                        CommandDriver.thaw(group.descriptor, frozen, COMMAND_MAX),
                                        () -> {}));
    }

    private long nowNanos() {
        return Duration.ofMillis(state.timeline.nowMillis()).toNanos();
    }
}
