package io.parterre.server.rpc;

/** Converts the age of a replica's rows to the value in answers. Stateless; safe for any thread. */
final class Staleness {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private Staleness() {}

    /**
     * Returns whole milliseconds, rounded up because a bound must not be below the value that it
     * bounds. A sync time in the future, which another thread recorded meanwhile, counts as now.
     */
    static long millis(long syncedNanos, long nowNanos) {
        long behind = Math.max(0, nowNanos - syncedNanos);
        return (behind + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
    }
}
