package io.parterre.bench.hotspot;

/**
 * Since when the run's times count. Managers and clients are on one machine, so the journal's times
 * are of the same clock.
 */
public record RunClock(long originNanos, long originMillis) {
    public static RunClock startNow() {
        return new RunClock(System.nanoTime(), System.currentTimeMillis());
    }

    /** Microseconds at a moment of {@link System#nanoTime}. */
    long micros(long nanos) {
        return (nanos - originNanos) / 1_000;
    }

    /** Milliseconds at this moment. */
    long nowMillis() {
        return micros(System.nanoTime()) / 1_000;
    }

    /** Milliseconds at a moment counted since 1970. */
    long millisOf(long epochMillis) {
        return epochMillis - originMillis;
    }
}
