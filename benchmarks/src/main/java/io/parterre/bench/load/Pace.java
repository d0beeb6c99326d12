package io.parterre.bench.load;

/**
 * When the connections of a run may send again, for load at a given rate instead of the highest
 * one. Confined to the loop's thread.
 */
@FunctionalInterface
public interface Pace {
    /** Sends as soon as the answer has arrived. */
    Pace AT_ONCE = (connection, nowNanos) -> nowNanos;

    /**
     * Returns the earliest time of a connection's next request; called once before each. Times are
     * of {@link System#nanoTime}.
     */
    long dueNanos(int connection, long nowNanos);
}
