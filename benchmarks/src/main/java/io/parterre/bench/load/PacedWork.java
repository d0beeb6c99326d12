package io.parterre.bench.load;

import java.util.concurrent.locks.LockSupport;

/**
 * Asks at a steady pace. For a loop of one connection: it waits on the loop's thread. A request
 * that is late because the last answer was is sent at once and the pace goes on from there, so what
 * is asked is never more than the pace. Not thread-safe.
 */
public final class PacedWork implements Work {
    private final Work work;
    private final long intervalNanos;
    private long dueNanos;

    public PacedWork(Work work, double perSecond, long firstNanos) {
        this.work = work;
        this.intervalNanos = (long) (1e9 / perSecond);
        this.dueNanos = firstNanos;
    }

    @Override
    public boolean next(int connection, RequestWriter requests, ByteText out) {
        long now = System.nanoTime();
        while (now - dueNanos < 0) {
            LockSupport.parkNanos(dueNanos - now);
            now = System.nanoTime();
        }
        dueNanos = Math.max(dueNanos, now - intervalNanos) + intervalNanos;
        return work.next(connection, requests, out);
    }

    @Override
    public long check(int connection, Answer answer) throws UnexpectedAnswer {
        return work.check(connection, answer);
    }

    @Override
    public void lost(int connection) {
        work.lost(connection);
    }
}
