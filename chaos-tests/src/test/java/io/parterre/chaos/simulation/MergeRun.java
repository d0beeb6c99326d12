package io.parterre.chaos.simulation;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.apply.Outcome;
import io.parterre.server.change.MergeOrder;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.SubmittedCommand;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** One merge that is carried out, step by step as {@code Merges} does it. */
final class MergeRun {
    /** A few elections long, as it is of real ones. */
    private static final long PAUSE_MAX_MILLIS = 6_000;

    private static final long POLL_MILLIS = 20;

    private final SimulatedServer server;
    private final SimulatedReplica left;
    private final MergeOrder order;
    private final SimulatedReplica right;
    private long untilMillis;
    private long freezeIndex;

    MergeRun(
            SimulatedServer server,
            SimulatedReplica left,
            MergeOrder order,
            SimulatedReplica right) {
        this.server = server;
        this.left = left;
        this.order = order;
        this.right = right;
    }

    void start() {
        server.simulation.trace.note(
                "merges", server.nodeId, left.descriptor(), right.descriptor());
        server.simulation.faults.moment(server);
        untilMillis = server.nowMillis() + PAUSE_MAX_MILLIS;
        if (right.descriptor().isFrozen()) {
            freeze();
            return;
        }
        allAt(
                right.appliedIndex(),
                level -> {
                    if (level) {
                        freeze();
                    } else {
                        server.changes.ended(left, order, right, MergeOrder.Verdict.MEMBER_BEHIND);
                    }
                });
    }

    private void freeze() {
        untilMillis = server.nowMillis() + PAUSE_MAX_MILLIS;
        if (order.isFrozenForThis(right.descriptor())) {
            frozen();
            return;
        }
        SubmittedCommand command =
                server.changes.named(
                        new ReplicaCommand.Freeze(
                                order.rightFrom().next(), order.leftId(), order.leftFrom()));
        propose(
                right,
                command,
                outcome -> {
                    if (outcome.isPresent() && order.isFrozenForThis(right.descriptor())) {
                        server.changes.spread(right, command);
                        frozen();
                    } else {
                        undo(MergeOrder.Verdict.MEMBER_BEHIND);
                    }
                });
    }

    private void frozen() {
        server.simulation.faults.moment(server);
        freezeIndex = right.appliedIndex();
        allAt(
                freezeIndex,
                level -> {
                    if (level) {
                        // A thread may pause anywhere, and much happen meanwhile.
                        server.later(server.simulation.conditions.orderMillis(), this::absorb);
                    } else {
                        undo(MergeOrder.Verdict.MEMBER_BEHIND);
                    }
                });
    }

    private void absorb() {
        if (!order.isFrozenForThis(right.descriptor())) {
            undo(MergeOrder.Verdict.NOT_JOINED);
            return;
        }
        server.simulation.faults.moment(server);
        SubmittedCommand command =
                server.changes.named(
                        new ReplicaCommand.Absorb(
                                order.joined(), order.leftFrom(), right.descriptor(), freezeIndex));
        propose(
                left,
                command,
                outcome -> {
                    boolean joined =
                            outcome.orElse(null) instanceof Outcome.RangeAbsorbed absorbed
                                    && absorbed.done();
                    if (joined) {
                        server.changes.spread(left, command);
                        server.changes.ended(left, order, right, MergeOrder.Verdict.DONE);
                    } else {
                        undo(MergeOrder.Verdict.NOT_JOINED);
                    }
                });
    }

    /** Gives it up in the left one's log first, and then thaws the right one. */
    private void undo(MergeOrder.Verdict why) {
        server.simulation.trace.note("undoes", server.nodeId, left.rangeId, why.name());
        server.simulation.faults.moment(server);
        SubmittedCommand fence =
                server.changes.named(
                        new ReplicaCommand.SetMembers(
                                order.leftFrom().next(), RangeChanges.members(left.range())));
        server.changes.propose(
                left,
                fence,
                outcome -> {
                    boolean joined =
                            left.descriptor().bounds().contains(right.descriptor().bounds());
                    boolean given = left.descriptor().generation().compareTo(order.leftFrom()) > 0;
                    if (outcome.isEmpty() || !joined && !given) {
                        server.changes.ended(left, order, right, why);
                    } else if (joined) {
                        server.changes.ended(left, order, right, MergeOrder.Verdict.DONE);
                    } else {
                        server.changes.proposeThaw(
                                right,
                                order.rightFrom().next(),
                                () -> server.changes.ended(left, order, right, why));
                    }
                });
    }

    /** Empty when the time is up; what was proposed may take effect later. */
    private void propose(
            SimulatedReplica replica, SubmittedCommand command, Consumer<Optional<Outcome>> done) {
        boolean[] ended = {false};
        Consumer<Optional<Outcome>> once =
                outcome -> {
                    if (!ended[0]) {
                        ended[0] = true;
                        done.accept(outcome);
                    }
                };
        server.changes.propose(replica, command, once);
        server.later(leftMillis(), () -> once.accept(Optional.empty()));
    }

    private long leftMillis() {
        return Math.max(1, untilMillis - server.nowMillis());
    }

    /** Whether all members have applied the right one's log up to an entry, in time. */
    private void allAt(long index, Consumer<Boolean> done) {
        Optional<RangeId> frozenFor = right.descriptor().frozenFor();
        Set<NodeId> missing = new TreeSet<>(right.descriptor().members());
        boolean[] ended = {false};
        Consumer<Boolean> once =
                level -> {
                    if (!ended[0]) {
                        ended[0] = true;
                        done.accept(level);
                    }
                };
        for (NodeId member : List.copyOf(missing)) {
            ask(
                    member,
                    index,
                    frozenFor,
                    there -> {
                        if (there) {
                            missing.remove(member);
                            if (missing.isEmpty()) {
                                once.accept(true);
                            }
                        } else {
                            once.accept(false);
                        }
                    });
        }
        server.later(leftMillis(), () -> once.accept(false));
    }

    private void ask(
            NodeId member, long index, Optional<RangeId> frozenFor, Consumer<Boolean> answer) {
        if (member.equals(server.nodeId)) {
            await(server, index, untilMillis, found -> answer.accept(found.isPresent()));
            return;
        }
        long started = server.start;
        server.simulation.network.sendCall(
                server.nodeId,
                member,
                () ->
                        await(
                                server.simulation.server(member),
                                index,
                                untilMillis,
                                found ->
                                        server.simulation.network.sendCall(
                                                member,
                                                server.nodeId,
                                                () -> {
                                                    if (server.up && server.start == started) {
                                                        answer.accept(
                                                                found.equals(
                                                                        Optional.of(frozenFor)));
                                                    }
                                                })));
    }

    /** What the range is frozen for, once the node has it applied and on disk; empty: in vain. */
    private void await(
            SimulatedServer at,
            long index,
            long waitsUntilMillis,
            Consumer<Optional<Optional<RangeId>>> found) {
        Optional<SimulatedReplica> replica = at.find(order.rightId()).filter(each -> each.hasGroup);
        if (replica.isEmpty()) {
            found.accept(Optional.empty());
        } else if (replica.get().hasDurably(index)) {
            found.accept(Optional.of(replica.get().descriptor().frozenFor()));
        } else if (at.nowMillis() < waitsUntilMillis) {
            at.later(POLL_MILLIS, () -> await(at, index, waitsUntilMillis, found));
        } else {
            found.accept(Optional.empty());
        }
    }
}
