package io.parterre.server.change;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.Map;
import org.slf4j.event.Level;

/**
 * Transfers leadership to another member that is fit for it. A failed attempt is repeated for a
 * while, because Ratis tells the target only once, and a timer that an earlier attempt left behind
 * may end a later one.
 *
 * @param self this node
 * @param silentMax longest time since the target's last answer
 * @param triesMax longest time for all attempts
 */
public record TransferDriver(
        RangeId rangeId, NodeId self, NodeId target, Duration silentMax, Duration triesMax)
        implements ChangeDriver<TransferDriver.State> {
    private static final Duration PAUSE = Duration.ofMillis(50);

    /** Progress of the transfer. */
    public sealed interface State {
        record New() implements State {}

        /** An attempt is under way. */
        record Trying(long endNanos) implements State {}

        /**
         * An attempt has failed.
         *
         * @param again whether another attempt follows; if not, the driver checks again who leads
         */
        record Pausing(long endNanos, Throwable failure, boolean again) implements State {}

        record Ended() implements State {}
    }

    @Override
    public State initial() {
        return new State.New();
    }

    @Override
    public Step<State> on(
            State state, ChangeEvent event, Map<RangeId, RangeView> ranges, long nowNanos) {
        RangeView range = ranges.get(rangeId);
        if (state instanceof State.New) {
            return attempt(range, nowNanos + triesMax.toNanos());
        }
        if (state instanceof State.Trying trying) {
            if (event instanceof ChangeEvent.Transferred) {
                return end(true);
            }
            return event instanceof ChangeEvent.NotTransferred failed
                    ? look(range, trying.endNanos(), failed.failure(), nowNanos)
                    : Step.of(state);
        }
        if (state instanceof State.Pausing pausing) {
            return pausing.again()
                    ? attempt(range, pausing.endNanos())
                    : look(range, pausing.endNanos(), pausing.failure(), nowNanos);
        }
        return Step.of(state);
    }

    private Step<State> attempt(RangeView range, long endNanos) {
        LeadershipTransfer.Verdict verdict =
                LeadershipTransfer.of(target, range.followers(), range.appliedIndex(), silentMax);
        boolean ready = verdict == LeadershipTransfer.Verdict.READY;
        ChangeEffect.Tell told =
                new ChangeEffect.Tell(
                        ready ? Level.INFO : Level.DEBUG,
                        "leadership transfer rangeId="
                                + rangeId
                                + " to="
                                + target
                                + " verdict="
                                + verdict);
        // The log line comes last, because the log file may be on a disk that does not answer.
        return ready
                ? Step.of(
                        new State.Trying(endNanos),
                        new ChangeEffect.Transfer(rangeId, target),
                        told)
                : end(false).after(told);
    }

    /** Decides what follows an attempt that Raft reports as failed. */
    private Step<State> look(RangeView range, long endNanos, Throwable failure, long nowNanos) {
        LeadershipTransfer.Next next =
                LeadershipTransfer.next(
                        target,
                        range.leading(),
                        range.leader().filter(leader -> !leader.equals(self)),
                        nowNanos - endNanos < 0);
        return switch (next) {
            case DONE -> end(true);
            case GIVE_UP -> Step.of(new State.Ended(), new ChangeEffect.Fail(failure));
            case WAIT, AGAIN ->
                    Step.until(
                            nowNanos + PAUSE.toNanos(),
                            new State.Pausing(
                                    endNanos, failure, next == LeadershipTransfer.Next.AGAIN));
        };
    }

    private static Step<State> end(boolean changed) {
        return Step.of(new State.Ended(), new ChangeEffect.End(changed));
    }
}
