package io.parterre.server.store;

import io.parterre.crash.CrashHook;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.metrics.PartitionServerMetrics;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Flushes rows to disk, and measures how long rows have waited for a flush. Intervals deleted
 * before a flush are reclaimed after it. Safe for any thread.
 */
final class StoreFlushes {
    private static final long CLEAN = Long.MIN_VALUE;

    private final RocksResources rocks;
    private final StoreGuard guard;
    private final Reclaimer reclaimer;
    private final Duration ageMax;
    private final LongSupplier nanoTicker;
    private final PartitionServerMetrics metrics;
    private final CrashHook<CrashPoint> crash;
    private final AtomicLong unflushedSinceNanos = new AtomicLong(CLEAN);

    StoreFlushes(
            RocksResources rocks,
            StoreGuard guard,
            Reclaimer reclaimer,
            Duration ageMax,
            LongSupplier nanoTicker,
            PartitionServerMetrics metrics,
            CrashHook<CrashPoint> crash) {
        this.rocks = rocks;
        this.guard = guard;
        this.reclaimer = reclaimer;
        this.ageMax = ageMax;
        this.nanoTicker = nanoTicker;
        this.metrics = metrics;
        this.crash = crash;
    }

    /** Records that a row is in memory only. */
    void written() {
        unflushedSinceNanos.compareAndSet(CLEAN, nanoTicker.getAsLong());
    }

    /** Returns whether a row has been in memory only for as long as allowed. */
    boolean isDue() {
        long since = unflushedSinceNanos.get();
        return since != CLEAN && nanoTicker.getAsLong() - since >= ageMax.toNanos();
    }

    /** Returns when everything written before is on disk; waits for room. */
    void flush() {
        while (true) {
            try {
                flushNow();
                return;
            } catch (StoreFullException noRoom) {
                guard.awaitRoom(noRoom);
            }
        }
    }

    /** Flushes like {@link #flush}, but does not wait for room. */
    void flushNow() {
        try {
            flushOnce();
        } catch (StoreFullException noRoom) {
            // Otherwise the upkeep would assume that everything is flushed.
            written();
            throw noRoom;
        }
    }

    private void flushOnce() {
        long startNanos = nanoTicker.getAsLong();
        // Set before the flush, so that a write during it starts a new age.
        unflushedSinceNanos.set(CLEAN);
        Reclaimer.Round reclaimable = reclaimer.begin();
        crash.reached(CrashPoint.BEFORE_FLUSH);
        guard.timed("flush", () -> rocks.db.flush(rocks.flush));
        crash.reached(CrashPoint.AFTER_FLUSH);
        metrics.flushed(Duration.ofNanos(nanoTicker.getAsLong() - startNanos));
        reclaimer.end(reclaimable);
    }
}
