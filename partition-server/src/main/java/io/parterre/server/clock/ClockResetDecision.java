package io.parterre.server.clock;

import io.parterre.entity.Ticks;
import io.parterre.server.apply.RangeTime;
import java.time.Duration;

/** Whether a leader sets its range's log time back to its own clock. Pure. */
public sealed interface ClockResetDecision {
    /** Far above what clocks may differ by that agree. */
    Duration AHEAD_MAX = Duration.ofMinutes(5);

    /** For how long it has to be so, where managers say that the leader's clock is right. */
    Duration PATIENCE = Duration.ofMinutes(5);

    /**
     * The same where nobody can say so. The leader's clock may have been set back by mistake: that
     * looks the same, and there is time to mend it.
     */
    Duration PATIENCE_ALONE = Duration.ofHours(1);

    /**
     * For how long a clock may have been wrong. While it was, timestamps were given all along, so
     * those of this time before the last one count as given. A clock that is wrong by more does not
     * last for as long: requests are signed with a time that may differ by a quarter of an hour.
     */
    Duration WRONG_MAX = Duration.ofDays(1);

    /** It stays as it is. */
    record Leave(Reason reason) implements ClockResetDecision {}

    /** Of a {@code ResetClock}. */
    record Reset(long seenTicks, long usedFromTicks) implements ClockResetDecision {}

    /** Why it stays. */
    enum Reason {
        /** The log time is not far ahead of the leader's clock. */
        NOT_AHEAD,
        /** The leader's clock is wrong by the managers' word. */
        CLOCK_DIFFERS,
        /** It may be the leader's clock that is wrong. */
        TOO_EARLY
    }

    /** Whether a log time is ahead of what it may be. */
    static boolean isAhead(RangeTime time, long nowTicks) {
        return time.nowTicks() > nowTicks + ticks(AHEAD_MAX);
    }

    /**
     * Decides about one range.
     *
     * @param nowTicks by the leader's clock
     * @param aheadFor for how long the leader has found the log time ahead, with a clock that does
     *     not differ
     * @param steadyFor for how long the leader's clock was not set
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
        // What was given last may be earlier: not every entry writes entities.
        long lastAhead = Math.min(time.nowTicks(), time.lastTimestampTicks());
        long usedFrom = lastAhead > nowTicks ? lastAhead - ticks(WRONG_MAX) : time.nowTicks();
        return new Reset(time.nowTicks(), usedFrom);
    }

    private static long ticks(Duration duration) {
        return duration.toSeconds() * Ticks.PER_SECOND;
    }
}
