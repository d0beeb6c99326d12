package io.parterre.deploy.client;

import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/** Limits the rate of what is transferred, bytes or entities. Thread-safe; calls block. */
public final class Pace {
    private final double nanosEach;
    private long freeAtNanos = System.nanoTime();

    /**
     * Creates a limit.
     *
     * @param perSecond 0: no limit
     */
    public Pace(long perSecond) {
        this.nanosEach = perSecond == 0 ? 0 : (double) TimeUnit.SECONDS.toNanos(1) / perSecond;
    }

    /** Blocks until this number may be transferred. */
    public void await(long count) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(reserve(System.nanoTime(), count));
    }

    /** Blocks likewise. For calls that fail by {@link java.io.IOException}. */
    public void awaitInIo(long count) throws InterruptedIOException {
        try {
            await(count);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    private synchronized long reserve(long nowNanos, long count) {
        if (nanosEach == 0) {
            return 0;
        }
        if (freeAtNanos - nowNanos < 0) {
            freeAtNanos = nowNanos;
        }
        long waitNanos = freeAtNanos - nowNanos;
        freeAtNanos += (long) (count * nanosEach);
        return waitNanos;
    }
}
