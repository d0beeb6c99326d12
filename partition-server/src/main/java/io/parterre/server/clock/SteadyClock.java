package io.parterre.server.clock;

import java.time.Duration;

/**
 * How long a process's wall clock has run like its monotonic clock, so that it was not set
 * meanwhile. Immutable; no clock.
 *
 * @param nanos time of the latest check, by the monotonic clock
 * @param wallNanos time of the latest check, by the wall clock
 * @param sinceNanos time of the first check since which the clock was not set
 */
public record SteadyClock(long nanos, long wallNanos, long sinceNanos) {
    /**
     * Largest difference between two checks; a clock that is slewed gains some milliseconds a
     * minute.
     */
    static final long TOLERANCE_NANOS = Duration.ofSeconds(1).toNanos();

    /** Returns the state after the first check. */
    public static SteadyClock begin(long nanos, long wallNanos) {
        return new SteadyClock(nanos, wallNanos, nanos);
    }

    /** Returns the state after a later check. */
    public SteadyClock next(long laterNanos, long laterWallNanos) {
        long apartNanos = laterWallNanos - wallNanos - (laterNanos - nanos);
        return Math.abs(apartNanos) > TOLERANCE_NANOS
                ? begin(laterNanos, laterWallNanos)
                : new SteadyClock(laterNanos, laterWallNanos, sinceNanos);
    }

    public Duration steadyFor() {
        return Duration.ofNanos(nanos - sinceNanos);
    }
}
