package io.parterre.server.clock;

import java.time.Duration;

/**
 * For how long a process's wall clock has run like its monotonic one: it was not set meanwhile.
 * Values; no clock.
 *
 * @param nanos of the latest look, by the monotonic clock
 * @param wallNanos of the same, by the wall clock
 * @param sinceNanos of the first look since which it was not set
 */
public record SteadyClock(long nanos, long wallNanos, long sinceNanos) {
    /** Between two looks; a clock that is slewed gains some milliseconds a minute. */
    static final long TOLERANCE_NANOS = Duration.ofSeconds(1).toNanos();

    /** At the first look. */
    public static SteadyClock begin(long nanos, long wallNanos) {
        return new SteadyClock(nanos, wallNanos, nanos);
    }

    /** At a later one. */
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
