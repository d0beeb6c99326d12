package io.parterre.chaos.simulation;

import io.parterre.key.Key;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.change.ChangeDriver;
import io.parterre.server.change.ChildDriver;
import io.parterre.server.change.ChildLeaders;
import io.parterre.server.change.CommandDriver;
import io.parterre.server.change.EndedMerges;
import io.parterre.server.change.GroupAlignment;
import io.parterre.server.change.MemberChange;
import io.parterre.server.change.MergeDriver;
import io.parterre.server.change.MergeOrder;
import io.parterre.server.change.SplitOrder;
import io.parterre.server.change.TransferDriver;
import io.parterre.server.command.CommandId;
import io.parterre.server.command.Member;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.SubmittedCommand;
import io.parterre.simulator.ChangeRun;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What a node does about the ranges it leads: each step follows from what the real orders decide.
 * One thing of a range at a time.
 */
final class RangeChanges {
    private static final long MISFIT_MILLIS = 5_000;
    private static final long STAGING_MILLIS = 8_000;

    /** Shorter than a leader may be unable to commit anything: what is given up may come later. */
    private static final Duration COMMAND_MAX = Duration.ofMillis(2_500);

    /** Longer than the staging of a member. */
    private static final Duration CONFIGURE_MAX = Duration.ofSeconds(20);

    private static final Duration SILENT_MAX = Duration.ofSeconds(2);
    private static final Duration TRANSFER_MAX = Duration.ofSeconds(4);

    /** A merge may take a few elections, as real ones may. */
    private static final MergeDriver.Limits MERGE_LIMITS =
            new MergeDriver.Limits(Duration.ofSeconds(6), COMMAND_MAX, Duration.ofMillis(20));

    private final SimulatedServer server;
    private final Set<RangeId> underWay = new TreeSet<>();
    private final Map<RangeId, Misfit> misfits = new TreeMap<>();
    private ChildLeaders childLeaders = new ChildLeaders();
    private EndedMerges endedMerges = new EndedMerges();
    private long sequence;

    private record Misfit(Generation generation, Set<NodeId> group, long sinceMillis) {}

    RangeChanges(SimulatedServer server) {
        this.server = server;
    }

    void forget() {
        underWay.clear();
        misfits.clear();
        childLeaders = new ChildLeaders();
        endedMerges = new EndedMerges();
        sequence = 0;
    }

    boolean begin(SimulatedReplica replica) {
        return replica.isLeading() && underWay.add(replica.rangeId);
    }

    void end(SimulatedReplica replica) {
        underWay.remove(replica.rangeId);
        server.reports.soon();
    }

    /** A command of the node's own, to be proposed at once. */
    SubmittedCommand named(ReplicaCommand command) {
        sequence++;
        // Random for each start.
        long sender = (server.start << 16) + server.simulation.number(server.nodeId) + 1_000;
        return new SubmittedCommand(new CommandId(sender, sequence), sequence, command);
    }

    private void run(SimulatedReplica replica, Optional<? extends ChangeDriver<?>> driver) {
        driver.ifPresentOrElse(each -> run(replica, each), () -> end(replica));
    }

    private void run(SimulatedReplica replica, ChangeDriver<?> driver) {
        ChangeRun.begin(
                new ChangedReplicas(server, replica), driver, (state, changed) -> end(replica));
    }

    // ---- members ----

    void changeMembers(SimulatedReplica replica, MemberChange change) {
        if (!begin(replica)) {
            return;
        }
        MemberChange.Step step =
                change.next(
                        replica.descriptor(),
                        current(replica),
                        replica.log.previous(),
                        server.nodeId);
        server.simulation.trace.note(
                "members", server.nodeId, replica.rangeId, change.from(), step.name());
        run(replica, change.driver(step, replica.rangeId, CONFIGURE_MAX, COMMAND_MAX));
    }

    private static Set<NodeId> current(SimulatedReplica replica) {
        return replica.log.members();
    }

    @SuppressWarnings("ReferenceEquality") // The very change that was begun here.
    void configure(SimulatedReplica replica, List<Member> members, Consumer<Boolean> done) {
        boolean begun =
                replica.staging.isEmpty()
                        && replica.log.previous().isEmpty()
                        && !replica.transferring
                        && replica.leadTerm == replica.log.term;
        if (!begun) {
            // One that leads no more does not hear of it before its time is over.
            server.later(3_000, () -> done.accept(false));
            return;
        }
        replica.staging =
                members.stream().map(Member::nodeId).collect(Collectors.toCollection(TreeSet::new));
        replica.staged = done;
        Set<NodeId> staged = replica.staging;
        server.later(
                STAGING_MILLIS,
                replica,
                () -> {
                    if (replica.staging == staged) {
                        // The members that were to join do not get on.
                        replica.staging = Set.of();
                        replica.staged = ended -> {};
                        done.accept(false);
                    }
                });
    }

    /** A group and its descriptor agree again where a change of members was never recorded. */
    void align(SimulatedReplica replica) {
        RangeId rangeId = replica.rangeId;
        RangeDescriptor descriptor = replica.descriptor();
        if (!replica.isLeading() || replica.isFrozen() || underWay.contains(rangeId)) {
            misfits.remove(rangeId);
            return;
        }
        GroupAlignment wanted = alignment(replica);
        if (wanted.step() == GroupAlignment.Step.NOTHING) {
            misfits.remove(rangeId);
            return;
        }
        Misfit known = misfits.get(rangeId);
        if (known == null
                || !known.generation().equals(descriptor.generation())
                || !known.group().equals(current(replica))) {
            misfits.put(
                    rangeId,
                    new Misfit(descriptor.generation(), current(replica), server.nowMillis()));
            return;
        }
        if (server.nowMillis() - known.sinceMillis() < MISFIT_MILLIS) {
            return;
        }
        misfits.remove(rangeId);
        server.simulation.trace.note("aligns", server.nodeId, descriptor, wanted.step().name());
        if (wanted.step() == GroupAlignment.Step.HAND_OVER) {
            wanted.members().stream()
                    .max(
                            Comparator.comparing(replica.log::held)
                                    .thenComparing(Comparator.naturalOrder()))
                    .ifPresent(node -> server.replication.transfer(replica, node));
        } else if (begin(replica)) {
            run(replica, wanted.driver(replica.range(), CONFIGURE_MAX, COMMAND_MAX));
        }
    }

    private GroupAlignment alignment(SimulatedReplica replica) {
        return GroupAlignment.of(
                Set.copyOf(replica.descriptor().members()),
                current(replica),
                replica.log.previous(),
                server.nodeId);
    }

    void transferLeadership(SimulatedReplica replica, Generation generation, NodeId target) {
        if (replica.descriptor().generation().equals(generation)
                && !target.equals(server.nodeId)
                && begin(replica)) {
            run(
                    replica,
                    new TransferDriver(
                            replica.rangeId, server.nodeId, target, SILENT_MAX, TRANSFER_MAX));
        }
    }

    // ---- splits ----

    /** Empty: nothing, for it does not lead the range. */
    Optional<SplitOrder.Verdict> split(SimulatedReplica replica, SplitOrder order) {
        if (!replica.isLeading()) {
            return Optional.empty();
        }
        List<Key> splitPoints =
                order.splitPoint()
                        .map(List::of)
                        .orElseGet(
                                () ->
                                        server.simulation.keys.splitPointsOf(
                                                replica.descriptor().bounds(),
                                                order.childIds().size()));
        SplitOrder.Verdict verdict = verdict(replica, order, splitPoints);
        if (verdict == SplitOrder.Verdict.SPLIT && begin(replica)) {
            order.childLeader()
                    .ifPresent(node -> childLeaders.put(order.firstChildId(), node, nowNanos()));
            server.simulation.trace.note(
                    "splits", server.nodeId, order.rangeId(), order.from(), order.childIds());
            run(replica, order.driver(splitPoints, COMMAND_MAX));
        }
        return Optional.of(verdict);
    }

    private SplitOrder.Verdict verdict(
            SimulatedReplica replica, SplitOrder order, List<Key> splitPoints) {
        return order.verdict(
                replica.descriptor(),
                splitPoints,
                current(replica),
                replica.log.previous(),
                order.childIds().stream()
                        .flatMap(id -> server.find(id).stream())
                        .map(SimulatedReplica::descriptor)
                        .toList());
    }

    /** Has a child that was just made here led here, and then where its split was to have it. */
    void childCreated(SimulatedReplica child) {
        Map<RangeId, NodeId> leaders = new TreeMap<>();
        childLeaders.take(child.rangeId).ifPresent(node -> leaders.put(child.rangeId, node));
        ChangeRun.begin(
                new ChangedReplicas(server, child),
                new ChildDriver(server.nodeId, List.of(child.rangeId), leaders),
                (state, changed) -> {});
    }

    // ---- merges ----

    /** Empty: nothing, for it does not lead the left one. */
    Optional<MergeOrder.Verdict> merge(SimulatedReplica left, MergeOrder order) {
        if (!left.isLeading()) {
            return Optional.empty();
        }
        Optional<MergeOrder.Verdict> before = endedMerges.answer(order, nowNanos());
        if (before.isPresent()) {
            return before;
        }
        Optional<SimulatedReplica> right = server.find(order.rightId());
        MergeOrder.Verdict verdict = verdict(left, order, right);
        if (verdict == MergeOrder.Verdict.MERGE && begin(left)) {
            if (begin(right.orElseThrow())) {
                merge(left, order, right.get());
            } else {
                end(left);
            }
        } else if (verdict == MergeOrder.Verdict.THAW) {
            thaw(right.orElseThrow(), right.get().descriptor().generation());
        }
        return Optional.of(verdict);
    }

    private void merge(SimulatedReplica left, MergeOrder order, SimulatedReplica right) {
        server.simulation.trace.note(
                "merges", server.nodeId, left.descriptor(), right.descriptor());
        server.simulation.faults.moment(server);
        ChangeRun.begin(
                new ChangedReplicas(server, left, right),
                new MergeDriver(order, server.nodeId, MERGE_LIMITS),
                (state, changed) -> {
                    MergeOrder.Verdict verdict = ((MergeDriver.State.Ended) state).verdict();
                    server.simulation.trace.note(
                            "merge ended",
                            server.nodeId,
                            order.leftId(),
                            order.rightId(),
                            verdict.name());
                    endedMerges.ended(order, verdict, nowNanos());
                    end(left);
                    end(right);
                });
    }

    private long nowNanos() {
        return Duration.ofMillis(server.nowMillis()).toNanos();
    }

    private static MergeOrder.Verdict verdict(
            SimulatedReplica left, MergeOrder order, Optional<SimulatedReplica> right) {
        return order.verdict(side(left), right.map(RangeChanges::side));
    }

    private static MergeOrder.Side side(SimulatedReplica replica) {
        return new MergeOrder.Side(
                replica.descriptor(),
                replica.isLeading(),
                current(replica),
                replica.log.previous());
    }

    void thaw(SimulatedReplica replica, Generation frozen) {
        if (begin(replica)) {
            run(replica, CommandDriver.thaw(replica.descriptor(), frozen, COMMAND_MAX));
        }
    }
}
