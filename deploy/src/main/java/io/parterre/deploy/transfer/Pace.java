package io.parterre.deploy.transfer;

import java.util.concurrent.TimeUnit;

/** Spreads entities over time. Safe for any thread; the caller's thread waits. */
final class Pace {
    private final double nanosPerEntity;
    private long freeAtNanos = System.nanoTime();

    /**
     * A pace.
     *
     * @param entitiesPerSecond 0: none
     */
    Pace(long entitiesPerSecond) {
        this.nanosPerEntity =
                entitiesPerSecond == 0
                        ? 0
                        : (double) TimeUnit.SECONDS.toNanos(1) / entitiesPerSecond;
    }

    /** Returns when so many entities may go. */
    void await(int entities) throws InterruptedException {
        long waitNanos = reserve(System.nanoTime(), entities);
        if (waitNanos > 0) {
            TimeUnit.NANOSECONDS.sleep(waitNanos);
        }
    }

    synchronized long reserve(long nowNanos, int entities) {
        if (nanosPerEntity == 0) {
            return 0;
        }
        if (freeAtNanos - nowNanos < 0) {
            freeAtNanos = nowNanos;
        }
        long waitNanos = freeAtNanos - nowNanos;
        freeAtNanos += (long) (entities * nanosPerEntity);
        return waitNanos;
    }
}
