package io.parterre.bench.hotspot;

/**
 * Origin of the run's times. Managers and clients are on one machine, so the journal's times are of
 * the same clock.
 */
public record RunClock(long originNanos, long originMillis) {
    public static RunClock startNow() {
        return new RunClock(System.nanoTime(), System.currentTimeMillis());
    }

    /** Converts a moment of {@link System#nanoTime} to microseconds of the run. */
    long micros(long nanos) {
        return (nanos - originNanos) / 1_000;
    }

    /** Returns the milliseconds of the run now. */
    long nowMillis() {
        return micros(System.nanoTime()) / 1_000;
    }

    /** Converts a moment counted since 1970 to milliseconds of the run. */
    long millisOf(long epochMillis) {
        return epochMillis - originMillis;
    }
}
