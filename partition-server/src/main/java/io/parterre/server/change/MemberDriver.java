package io.parterre.server.change;

import io.parterre.range.RangeId;
import io.parterre.server.command.Member;
import io.parterre.server.command.ReplicaCommand;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * Gives a range's Raft group other members, and then has the log record them if the descriptor has
 * others. A change that does not end in time is given up and ordered again: see {@link
 * MemberChange}.
 *
 * @param record records the members; empty if the descriptor has them
 * @param configureMax time for a new member to get all data
 */
public record MemberDriver(
        RangeId rangeId,
        List<Member> members,
        Optional<CommandDriver> record,
        Duration configureMax)
        implements ChangeDriver<MemberDriver.State> {
    public MemberDriver {
        members = List.copyOf(members);
    }

    /**
     * Returns a driver that has the log record the members of a change; the group has them already.
     */
    public static CommandDriver recording(
            RangeId rangeId, MemberChange change, Duration commandMax) {
        return new CommandDriver(
                rangeId,
                new ReplicaCommand.SetMembers(change.from().next(), change.members()),
                false,
                commandMax);
    }

    /**
     * Progress of the driver.
     *
     * @param untilNanos time at which the group's change is given up; empty if it has not begun, or
     *     the record has
     * @param recording progress of the record; empty if it has not begun
     */
    public record State(Optional<Long> untilNanos, Optional<CommandDriver.State> recording) {}

    @Override
    public State initial() {
        return new State(Optional.empty(), Optional.empty());
    }

    @Override
    public Step<State> on(
            State state, ChangeEvent event, Map<RangeId, RangeView> ranges, long nowNanos) {
        if (state.recording().isPresent()) {
            return record(state.recording().get(), event, ranges, nowNanos);
        }
        if (event instanceof ChangeEvent.Begun) {
            long untilNanos = nowNanos + configureMax.toNanos();
            return Step.until(
                    untilNanos,
                    new State(Optional.of(untilNanos), Optional.empty()),
                    new ChangeEffect.Configure(rangeId, members, record.isPresent()));
        }
        if (event instanceof ChangeEvent.Configured) {
            return record.isEmpty()
                    ? Step.of(state, new ChangeEffect.End(true))
                    : record(record.get().initial(), new ChangeEvent.Begun(), ranges, nowNanos);
        }
        if (event instanceof ChangeEvent.NotConfigured failed) {
            return Step.of(state, new ChangeEffect.Fail(failed.failure()));
        }
        return nowNanos - state.untilNanos().orElseThrow() >= 0
                ? Step.of(
                        state,
                        new ChangeEffect.Fail(new TimeoutException("not configured in time")))
                : Step.until(state.untilNanos().get(), state);
    }

    private Step<State> record(
            CommandDriver.State state,
            ChangeEvent event,
            Map<RangeId, RangeView> ranges,
            long nowNanos) {
        Step<CommandDriver.State> step = record.orElseThrow().on(state, event, ranges, nowNanos);
        return new Step<>(
                new State(Optional.empty(), Optional.of(step.next())),
                step.effects(),
                step.wakeAtNanos());
    }
}
