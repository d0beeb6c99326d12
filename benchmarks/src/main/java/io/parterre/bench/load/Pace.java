package io.parterre.bench.load;

/**
 * When the connections of a run may ask again, for load that is offered and not as much as goes.
 * Called by the loop's thread alone.
 */
@FunctionalInterface
public interface Pace {
    /** As soon as the answer is there. */
    Pace AT_ONCE = (connection, nowNanos) -> nowNanos;

    /**
     * The earliest moment of a connection's next request; asked for once before each. Times are of
     * {@link System#nanoTime}.
     */
    long dueNanos(int connection, long nowNanos);
}
