package io.parterre.server.change;

import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.Outcome;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.ReplicaCommand.Absorb;
import io.parterre.server.command.ReplicaCommand.Freeze;
import io.parterre.server.command.ReplicaCommand.SetMembers;
import io.parterre.server.command.ReplicaCommand.Thaw;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.slf4j.event.Level;

/**
 * Merges two ranges that this node leads, as ordered. The right range is frozen, all members apply
 * the freeze, and one entry of the left range's log joins the two. That log alone decides whether
 * they are joined. A merge that does not end in time is first given up in the left log, by another
 * generation; only then is the right range thawed. If that fails, the manager continues.
 *
 * @param self this node
 */
public record MergeDriver(MergeOrder order, NodeId self, Limits limits)
        implements ChangeDriver<MergeDriver.State> {
    /**
     * How long a merge waits.
     *
     * @param pauseMax longest time for which the right range is frozen before the merge is given up
     * @param commandMax longest time for one command to be applied
     * @param poll time between two checks of this node's own disk
     */
    public record Limits(Duration pauseMax, Duration commandMax, Duration poll) {}

    /** Progress of a merge. */
    public sealed interface State {
        /** Nothing has been done. */
        record New() implements State {}

        /**
         * Waits until all members have applied the right range's log up to an entry.
         *
         * @param frozen whether the right range is frozen. If not, members are only asked whether
         *     they are level, because an absent member would have the freeze undone
         * @param beganNanos time from which the right range may be frozen
         */
        record Levelling(boolean frozen, long beganNanos, MemberLevels members) implements State {}

        /**
         * Waits for a proposed command: a freeze; an absorption, by which the left log may join the
         * two ranges; the left range's next generation, after which nothing joins them; or a thaw.
         *
         * @param beganNanos time from which the right range may be frozen
         * @param untilNanos time at which the command is given up; it may take effect later
         * @param why reason why the merge is given up; empty if it is not
         */
        record Proposed(
                ReplicaCommand command,
                long beganNanos,
                long untilNanos,
                Optional<MergeOrder.Verdict> why)
                implements State {}

        /** The merge has ended with this verdict. */
        record Ended(MergeOrder.Verdict verdict) implements State {}
    }

    @Override
    public State initial() {
        return new State.New();
    }

    @Override
    public Step<State> on(
            State state, ChangeEvent event, Map<RangeId, RangeView> ranges, long nowNanos) {
        return new At(ranges.get(order.leftId()), ranges.get(order.rightId()), nowNanos)
                .step(state, event);
    }

    /** Both ranges at one moment. */
    private final class At {
        private final RangeView left;
        private final RangeView right;
        private final long nowNanos;

        At(RangeView left, RangeView right, long nowNanos) {
            this.left = left;
            this.right = right;
            this.nowNanos = nowNanos;
        }

        Step<State> step(State state, ChangeEvent event) {
            if (state instanceof State.Levelling levelling) {
                return levelling(
                        new State.Levelling(
                                levelling.frozen(),
                                levelling.beganNanos(),
                                levelling.members().after(event)));
            }
            if (state instanceof State.Proposed proposed) {
                return proposed(proposed, event);
            }
            if (state instanceof State.New) {
                return right.descriptor().isFrozen() ? freeze() : level(false, nowNanos);
            }
            return Step.of(state);
        }

        private Step<State> freeze() {
            return order.isFrozenForThis(right.descriptor())
                    ? level(true, nowNanos)
                    : propose(
                            order.rightId(),
                            new Freeze(order.rightFrom().next(), order.leftId(), order.leftFrom()),
                            nowNanos,
                            limits.pauseMax(),
                            Optional.empty());
        }

        /** Asks all members whether they have applied what this node has. */
        private Step<State> level(boolean frozen, long beganNanos) {
            MemberLevels members = MemberLevels.of(right);
            return levelling(new State.Levelling(frozen, beganNanos, members))
                    .after(members.questions(right, self, timeLeft(beganNanos)));
        }

        private Step<State> levelling(State.Levelling before) {
            MemberLevels members = before.members().synced(right, self);
            State.Levelling state =
                    new State.Levelling(before.frozen(), before.beganNanos(), members);
            long endNanos = pauseEnd(state.beganNanos());
            if (members.missing().isEmpty()) {
                return level(state, members.failure());
            }
            if (nowNanos - endNanos >= 0) {
                return level(
                        state,
                        Optional.of(new TimeoutException("members behind: " + members.missing())));
            }
            long pollNanos = nowNanos + limits.poll().toNanos();
            boolean polls = members.missing().contains(self) && pollNanos - endNanos < 0;
            return Step.until(polls ? pollNanos : endNanos, state);
        }

        private Step<State> level(State.Levelling state, Optional<Throwable> failure) {
            if (!state.frozen()) {
                return failure.isPresent() ? end(MergeOrder.Verdict.MEMBER_BEHIND) : freeze();
            }
            if (failure.isPresent()) {
                return undo(MergeOrder.Verdict.MEMBER_BEHIND)
                        .after(notDone("freeze", failure.get()));
            }
            if (!order.isFrozenForThis(right.descriptor())) {
                return undo(MergeOrder.Verdict.NOT_JOINED);
            }
            return propose(
                    order.leftId(),
                    new Absorb(
                            order.joined(),
                            order.leftFrom(),
                            right.descriptor(),
                            state.members().index()),
                    state.beganNanos(),
                    timeLeft(state.beganNanos()),
                    Optional.empty());
        }

        private Step<State> proposed(State.Proposed state, ChangeEvent event) {
            if (event instanceof ChangeEvent.Applied applied
                    && applied.command().equals(state.command())) {
                return applied(state, applied.outcome());
            }
            if (event instanceof ChangeEvent.NotApplied failed
                    && failed.command().equals(state.command())) {
                return notApplied(state, failed.failure());
            }
            return nowNanos - state.untilNanos() >= 0
                    ? notApplied(state, new TimeoutException("not applied in time"))
                    : Step.until(state.untilNanos(), state);
        }

        private Step<State> applied(State.Proposed state, Outcome outcome) {
            if (state.command() instanceof Freeze) {
                return order.isFrozenForThis(right.descriptor())
                        ? level(true, state.beganNanos())
                                .after(repeat(order.rightId(), right, state.command()))
                        : notApplied(state, new IOException("not done: " + outcome));
            }
            if (state.command() instanceof Absorb) {
                return outcome instanceof Outcome.RangeAbsorbed absorbed && absorbed.done()
                        ? end(MergeOrder.Verdict.DONE)
                                .after(repeat(order.leftId(), left, state.command()))
                        : undo(MergeOrder.Verdict.NOT_JOINED);
            }
            if (state.command() instanceof Thaw) {
                return end(state.why().orElseThrow())
                        .after(
                                new ChangeEffect.Tell(
                                        Level.INFO,
                                        "range thawed rangeId="
                                                + order.rightId()
                                                + " outcome="
                                                + outcome));
            }
            return fenced(state, outcome);
        }

        private Step<State> notApplied(State.Proposed state, Throwable failure) {
            if (state.why().isPresent()) {
                return end(state.why().get()).after(notDone("undo", failure));
            }
            return state.command() instanceof Freeze
                    ? undo(MergeOrder.Verdict.MEMBER_BEHIND).after(notDone("freeze", failure))
                    : undo(MergeOrder.Verdict.NOT_JOINED).after(notDone("absorb", failure));
        }

        /** Gives up the merge in the left range's log. */
        private Step<State> undo(MergeOrder.Verdict why) {
            HostedRange range = left.range();
            return propose(
                    order.leftId(),
                    new SetMembers(
                            order.leftFrom().next(),
                            range.members().stream()
                                    .filter(
                                            member ->
                                                    range.descriptor()
                                                            .members()
                                                            .contains(member.nodeId()))
                                    .toList()),
                    nowNanos,
                    limits.commandMax(),
                    Optional.of(why));
        }

        /**
         * Handles the left range's next generation. From then on no command proposed earlier joins
         * the two ranges, unless one has joined them already.
         */
        private Step<State> fenced(State.Proposed state, Outcome outcome) {
            RangeDescriptor frozen = right.descriptor();
            if (left.descriptor().bounds().contains(frozen.bounds())) {
                return end(MergeOrder.Verdict.DONE);
            }
            if (left.descriptor().generation().compareTo(order.leftFrom()) <= 0) {
                return notApplied(state, new IOException("not done: " + outcome));
            }
            return frozen.isFrozen() && frozen.generation().equals(order.rightFrom().next())
                    ? propose(
                            order.rightId(),
                            new Thaw(frozen.generation().next()),
                            nowNanos,
                            limits.commandMax(),
                            state.why())
                    : end(state.why().orElseThrow());
        }

        private long pauseEnd(long beganNanos) {
            return beganNanos + limits.pauseMax().toNanos();
        }

        private Duration timeLeft(long beganNanos) {
            return Duration.ofNanos(Math.max(1, pauseEnd(beganNanos) - nowNanos));
        }

        private Step<State> propose(
                RangeId rangeId,
                ReplicaCommand command,
                long beganNanos,
                Duration waitMax,
                Optional<MergeOrder.Verdict> why) {
            Duration wait = Collections.min(List.of(waitMax, limits.commandMax()));
            long untilNanos = nowNanos + wait.toNanos();
            return Step.until(
                    untilNanos,
                    new State.Proposed(command, beganNanos, untilNanos, why),
                    new ChangeEffect.Propose(rangeId, command));
        }

        private ChangeEffect[] repeat(RangeId rangeId, RangeView range, ReplicaCommand command) {
            return range.followers().isEmpty()
                    ? new ChangeEffect[0]
                    : new ChangeEffect[] {new ChangeEffect.Repeat(rangeId, command)};
        }

        private Step<State> end(MergeOrder.Verdict verdict) {
            return Step.of(new State.Ended(verdict), new ChangeEffect.End(true));
        }

        private ChangeEffect notDone(String step, Throwable failure) {
            return new ChangeEffect.Tell(
                    Level.WARN,
                    "merge not done rangeId="
                            + order.leftId()
                            + " rightRangeId="
                            + order.rightId()
                            + " step="
                            + step
                            + " failure="
                            + failure);
        }
    }
}
