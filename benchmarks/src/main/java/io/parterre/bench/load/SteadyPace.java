package io.parterre.bench.load;

/**
 * So many requests a second, at even distances. For a loop of one connection. A request that is
 * late because the last answer was is sent at once and the pace goes on from there, so what is
 * asked is never more than the pace. Not thread-safe.
 */
public final class SteadyPace implements Pace {
    private final long intervalNanos;
    private long nextNanos;

    /**
     * A pace.
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
