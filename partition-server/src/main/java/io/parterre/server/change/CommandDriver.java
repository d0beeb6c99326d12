package io.parterre.server.change;

import io.parterre.range.Generation;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.Outcome;
import io.parterre.server.command.ReplicaCommand;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * A change that consists of one command of a range's log.
 *
 * @param repeated whether the command is repeated, so that followers learn at once that it is
 *     committed
 * @param commandMax time after which a command that is not applied is given up; it may take effect
 *     later
 */
public record CommandDriver(
        RangeId rangeId, ReplicaCommand command, boolean repeated, Duration commandMax)
        implements ChangeDriver<CommandDriver.State> {
    /**
     * Returns a driver that thaws a range, so that it takes and serves requests again.
     *
     * @param frozen generation from which the range is to be thawed
     * @return empty if the range has another generation or is not frozen
     */
    public static Optional<CommandDriver> thaw(
            RangeDescriptor range, Generation frozen, Duration commandMax) {
        return range.isFrozen() && range.generation().equals(frozen)
                ? Optional.of(
                        new CommandDriver(
                                range.rangeId(),
                                new ReplicaCommand.Thaw(frozen.next()),
                                false,
                                commandMax))
                : Optional.empty();
    }

    /** Progress of the driver. */
    public enum State {
        NEW,
        PROPOSED,
        ENDED
    }

    @Override
    public State initial() {
        return State.NEW;
    }

    @Override
    public Step<State> on(
            State state, ChangeEvent event, Map<RangeId, RangeView> ranges, long nowNanos) {
        if (event instanceof ChangeEvent.Applied applied) {
            Step<State> end = Step.of(State.ENDED, new ChangeEffect.End(hasChanged(applied)));
            return repeated && !ranges.get(rangeId).followers().isEmpty()
                    ? end.after(new ChangeEffect.Repeat(rangeId, command))
                    : end;
        }
        if (event instanceof ChangeEvent.NotApplied failed) {
            return Step.of(State.ENDED, new ChangeEffect.Fail(failed.failure()));
        }
        if (event instanceof ChangeEvent.Woken) {
            return Step.of(
                    State.ENDED,
                    new ChangeEffect.Fail(new TimeoutException("not applied in time")));
        }
        return Step.until(
                nowNanos + commandMax.toNanos(),
                State.PROPOSED,
                new ChangeEffect.Propose(rangeId, command));
    }

    private static boolean hasChanged(ChangeEvent.Applied applied) {
        if (applied.command() instanceof ReplicaCommand.Thaw) {
            return applied.outcome() instanceof Outcome.RangeThawed thawed && thawed.done();
        }
        return !(applied.command() instanceof ReplicaCommand.Split)
                || applied.outcome() instanceof Outcome.RangeSplit split && split.done();
    }
}
