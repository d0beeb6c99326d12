package io.parterre.server.rpc;

/** Age of what a replica holds, as it is told. Stateless; safe for any thread. */
final class Staleness {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private Staleness() {}

    /**
     * Whole milliseconds, rounded up: a bound must not be below what it bounds. A moment that lies
     * ahead, since another thread noted it meanwhile, is now.
     */
    static long millis(long syncedNanos, long nowNanos) {
        long behind = Math.max(0, nowNanos - syncedNanos);
        return (behind + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
    }
}
