package io.parterre.bench.load;

/** Hears of every request of a run, on the loop's thread. Times are of {@link System#nanoTime}. */
public interface Recorder {
    /** A good answer came. */
    void answered(long startNanos, long endNanos, long entities);

    /**
     * No good answer came.
     *
     * @param kind one of few: a status, a fault of the connection
     * @param details for a person; the first of a kind is worth keeping
     */
    void failed(long nowNanos, String kind, String details);
}
