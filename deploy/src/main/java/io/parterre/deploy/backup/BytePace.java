package io.parterre.deploy.backup;

import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/** Spreads bytes over time. Safe for any thread; the caller's thread waits. */
final class BytePace {
    private final double nanosPerByte;
    private long freeAtNanos = System.nanoTime();

    /**
     * A pace.
     *
     * @param bytesPerSecond 0: none
     */
    BytePace(long bytesPerSecond) {
        this.nanosPerByte =
                bytesPerSecond == 0 ? 0 : (double) TimeUnit.SECONDS.toNanos(1) / bytesPerSecond;
    }

    /** Returns when so many bytes may go. */
    void await(long bytes) throws InterruptedIOException {
        long waitNanos = reserve(System.nanoTime(), bytes);
        try {
            TimeUnit.NANOSECONDS.sleep(waitNanos);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    synchronized long reserve(long nowNanos, long bytes) {
        if (nanosPerByte == 0) {
            return 0;
        }
        if (freeAtNanos - nowNanos < 0) {
            freeAtNanos = nowNanos;
        }
        long waitNanos = freeAtNanos - nowNanos;
        freeAtNanos += (long) (bytes * nanosPerByte);
        return waitNanos;
    }
}
