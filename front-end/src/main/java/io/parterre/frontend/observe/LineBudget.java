package io.parterre.frontend.observe;

import java.util.OptionalLong;

/** Limits the lines of each minute, and counts the suppressed ones. Thread-safe. */
final class LineBudget {
    private static final long MINUTE_NANOS = 60_000_000_000L;

    private final int linesPerMinuteMax;
    private long minuteNanos;
    private int lines;
    private long suppressed;

    LineBudget(int linesPerMinuteMax, long nowNanos) {
        this.linesPerMinuteMax = linesPerMinuteMax;
        this.minuteNanos = nowNanos;
    }

    /**
     * Asks for a line.
     *
     * @return number of lines refused since the last granted one; empty if this line is refused
     */
    synchronized OptionalLong take(long nowNanos) {
        if (nowNanos - minuteNanos >= MINUTE_NANOS) {
            minuteNanos = nowNanos;
            lines = 0;
        }
        if (lines >= linesPerMinuteMax) {
            suppressed++;
            return OptionalLong.empty();
        }
        lines++;
        long refused = suppressed;
        suppressed = 0;
        return OptionalLong.of(refused);
    }
}
