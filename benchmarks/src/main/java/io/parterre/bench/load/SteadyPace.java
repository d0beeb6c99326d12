package io.parterre.bench.load;

/**
 * A given number of requests a second, at even distances, for a loop of one connection. A request
 * that is late because of the previous answer is sent at once and the pace continues from there, so
 * the load never exceeds the pace. Not thread-safe.
 */
public final class SteadyPace implements Pace {
    private final long intervalNanos;
    private long nextNanos;

    /**
     * Creates a pace.
     *
     * @param firstNanos when the first request is due
     */
    public SteadyPace(double perSecond, long firstNanos) {
        this.intervalNanos = (long) (1e9 / perSecond);
        this.nextNanos = firstNanos;
    }

    @Override
    public long dueNanos(int connection, long nowNanos) {
        long due = nowNanos - nextNanos > 0 ? nowNanos : nextNanos;
        long next = nextNanos + intervalNanos;
        nextNanos = due - next > 0 ? due : next;
        return due;
    }
}
