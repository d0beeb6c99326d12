package io.parterre.deploy.backup;

import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/** Limits the rate of bytes. Thread-safe; calls block. */
final class BytePace {
    private final double nanosPerByte;
    private long freeAtNanos = System.nanoTime();

    /**
     * Creates a limit.
     *
     * @param bytesPerSecond 0: no limit
     */
    BytePace(long bytesPerSecond) {
        this.nanosPerByte =
                bytesPerSecond == 0 ? 0 : (double) TimeUnit.SECONDS.toNanos(1) / bytesPerSecond;
    }

    /** Blocks until this number of bytes may be transferred. */
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
