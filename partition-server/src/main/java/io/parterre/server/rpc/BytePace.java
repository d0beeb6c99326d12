package io.parterre.server.rpc;

import java.util.concurrent.TimeUnit;

/**
 * Spreads bytes over time, so that copies leave network and disk capacity to requests. While
 * nothing is sent, at most a fifth of a second's worth is saved up. Safe for any thread.
 */
final class BytePace {
    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final double nanosPerByte;
    private long freeAtNanos;
    private boolean begun;

    BytePace(long bytesPerSecondMax) {
        this.nanosPerByte = (double) TimeUnit.SECONDS.toNanos(1) / bytesPerSecondMax;
    }

    /**
     * Reserves a place for that many bytes. Returns how long to wait before they may be sent, in
     * nanoseconds.
     */
    synchronized long reserve(long nowNanos, int bytes) {
        if (!begun || freeAtNanos - nowNanos < -BURST_NANOS) {
            freeAtNanos = nowNanos - BURST_NANOS;
            begun = true;
        }
        long waitNanos = Math.max(0, freeAtNanos - nowNanos);
        freeAtNanos += (long) (bytes * nanosPerByte);
        return waitNanos;
    }
}
