package io.parterre.deploy.transfer;

import java.util.concurrent.TimeUnit;

/** Limits the rate of entities. Thread-safe; calls block. */
final class Pace {
    private final double nanosPerEntity;
    private long freeAtNanos = System.nanoTime();

    /**
     * Creates a limit.
     *
     * @param entitiesPerSecond 0: no limit
     */
    Pace(long entitiesPerSecond) {
        this.nanosPerEntity =
                entitiesPerSecond == 0
                        ? 0
                        : (double) TimeUnit.SECONDS.toNanos(1) / entitiesPerSecond;
    }

    /** Blocks until this number of entities may be transferred. */
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
