package io.parterre.bench.load;

/**
 * Receives the outcome of every request of a run, on the loop's thread. Times are of {@link
 * System#nanoTime}.
 */
public interface Recorder {
    /** A good answer arrived. */
    void answered(long startNanos, long endNanos, long entities);

    /**
     * No good answer arrived.
     *
     * @param kind one of few: a status, a fault of the connection
     * @param details for people; worth keeping for the first of a kind
     */
    void failed(long nowNanos, String kind, String details);
}
