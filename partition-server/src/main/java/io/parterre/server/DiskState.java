package io.parterre.server;

import java.time.Duration;

/**
 * Judgement of a node's disk. Immutable and pure: {@link DiskWatch} measures.
 *
 * @param stalled whether the disk hangs
 * @param sinceNanos time at which the disk was first found to hang
 */
record DiskState(boolean stalled, long sinceNanos) {
    static final DiskState WORKS = new DiskState(false, 0);

    /** A flush writes as much as memory holds, which takes some time even on a disk that works. */
    private static final int STORE_PATIENCE = 5;

    /**
     * Returns the state after another measurement.
     *
     * @param log time for which some log has stood still with something to write
     * @param store time that the store's oldest work has taken
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
