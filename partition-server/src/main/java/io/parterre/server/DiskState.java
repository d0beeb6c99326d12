package io.parterre.server;

import java.time.Duration;

/**
 * What is to be thought of a node's disk. Pure: {@link DiskWatch} looks.
 *
 * @param stalled whether it hangs
 * @param sinceNanos when it was first seen to hang
 */
record DiskState(boolean stalled, long sinceNanos) {
    static final DiskState WORKS = new DiskState(false, 0);

    /** A flush writes as much as memory holds, which takes its time on a disk that works. */
    private static final int STORE_PATIENCE = 5;

    /**
     * What is known after another look.
     *
     * @param log time that some log stands still with something to write
     * @param store time that the store's oldest work takes
     */
    DiskState next(Duration log, Duration store, DiskConfig config, long nowNanos) {
        boolean hangs =
                log.compareTo(config.stalledAfter()) >= 0
                        || store.compareTo(config.stalledAfter().multipliedBy(STORE_PATIENCE)) >= 0;
        if (!hangs) {
            return WORKS;
        }
        return stalled ? this : new DiskState(true, nowNanos);
    }
}
