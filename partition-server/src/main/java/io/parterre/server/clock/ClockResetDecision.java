package io.parterre.server.clock;

import io.parterre.entity.Ticks;
import io.parterre.server.apply.RangeTime;
import java.time.Duration;

/** Decides whether a leader sets its range's log time back to its own clock. Pure. */
public sealed interface ClockResetDecision {
    /** Far above the difference of clocks that agree. */
    Duration AHEAD_MAX = Duration.ofMinutes(5);

    /**
     * Time for which the log time has to be ahead if managers say that the leader's clock is right.
     */
    Duration PATIENCE = Duration.ofMinutes(5);

    /**
     * Time for which the log time has to be ahead if nobody can judge the leader's clock. The
     * leader's clock may have been set back by mistake. That looks the same, and there is time to
     * correct it.
     */
    Duration PATIENCE_ALONE = Duration.ofHours(1);

    /**
     * Time for which a clock may have been wrong. Timestamps were given during all that time, so
     * those of this long before the last one count as given. A clock that is wrong by more does not
     * last for as long: requests are signed with a time that may differ by a quarter of an hour.
     */
    Duration WRONG_MAX = Duration.ofDays(1);

    /** The log time stays as it is. */
    record Leave(Reason reason) implements ClockResetDecision {}

    /** The log time is set back, by a {@code ResetClock} with these values. */
    record Reset(long seenTicks, long usedFromTicks) implements ClockResetDecision {}

    /** Reason why the log time stays. */
    enum Reason {
        /** The log time is not far ahead of the leader's clock. */
        NOT_AHEAD,
        /** The leader's clock is wrong according to the managers. */
        CLOCK_DIFFERS,
        /** The leader's clock may be the wrong one. */
        TOO_EARLY
    }

    /** Whether a log time is too far ahead of the leader's clock. */
    static boolean isAhead(RangeTime time, long nowTicks) {
        return time.nowTicks() > nowTicks + ticks(AHEAD_MAX);
    }

    /**
     * Decides for one range.
     *
     * @param nowTicks time of the leader's clock
     * @param aheadFor time for which the leader has found the log time ahead, with a clock that
     *     does not differ
     * @param steadyFor time for which the leader's clock was not set
     */
    static ClockResetDecision decide(
            RangeTime time,
            long nowTicks,
            Duration aheadFor,
            Duration steadyFor,
            ClockTrust trust) {
        if (!isAhead(time, nowTicks)) {
            return new Leave(Reason.NOT_AHEAD);
        }
        if (trust == ClockTrust.DIFFERS) {
            return new Leave(Reason.CLOCK_DIFFERS);
        }
        Duration patience = trust == ClockTrust.AGREES ? PATIENCE : PATIENCE_ALONE;
        if (aheadFor.compareTo(patience) < 0 || steadyFor.compareTo(patience) < 0) {
            return new Leave(Reason.TOO_EARLY);
        }
        // The last timestamp may be earlier, because not every entry writes entities.
        long lastAhead = Math.min(time.nowTicks(), time.lastTimestampTicks());
        long usedFrom = lastAhead > nowTicks ? lastAhead - ticks(WRONG_MAX) : time.nowTicks();
        return new Reset(time.nowTicks(), usedFrom);
    }

    private static long ticks(Duration duration) {
        return duration.toSeconds() * Ticks.PER_SECOND;
    }
}
