package io.parterre.server.store;

import io.parterre.server.metrics.PartitionServerMetrics;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks once a second for errors in RocksDB's background work, for room on a disk that was full,
 * and for rows that have waited long enough for a flush.
 */
final class StoreUpkeep implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreUpkeep.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final RocksResources rocks;
    private final StoreGuard guard;
    private final StoreFlushes flushes;
    private final AtomicLong diskBytes = new AtomicLong();
    private final AtomicLong memoryBytes = new AtomicLong();
    private final ScheduledFuture<?> looks;

    // Both written by the checks only.
    private volatile long backgroundErrors;
    private long errorsTold;

    StoreUpkeep(
            RocksResources rocks,
            StoreGuard guard,
            StoreFlushes flushes,
            PartitionServerMetrics metrics,
            ScheduledExecutorService scheduler) {
        this.rocks = rocks;
        this.guard = guard;
        this.flushes = flushes;
        metrics.storeBytes(diskBytes, memoryBytes);
        this.looks =
                scheduler.scheduleWithFixedDelay(
                        this::look,
                        INTERVAL.toMillis(),
                        INTERVAL.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    /** Returns the number of failed flushes and compactions that RocksDB started itself. */
    long backgroundErrors() {
        return backgroundErrors;
    }

    private void look() {
        try {
            if (guard.hasFailed()) {
                return;
            }
            guard.guarded(
                    "upkeep",
                    () -> {
                        lookForErrors();
                        diskBytes.set(rocks.db.getLongProperty("rocksdb.total-sst-files-size"));
                        memoryBytes.set(rocks.db.getLongProperty("rocksdb.size-all-mem-tables"));
                        return null;
                    });
            if (flushes.isDue()) {
                flushes.flushNow();
            }
        } catch (StoreException handled) {
            LOG.debug("upkeep ended early", handled);
        }
    }

    /** Checks for errors in RocksDB's background work. */
    private void lookForErrors() throws RocksDBException {
        long errors = rocks.db.getLongProperty("rocksdb.background-errors");
        if (errors == backgroundErrors && !guard.isFull()) {
            return;
        }
        Optional<RocksDBException> failure = rocks.backgroundFailure();
        if (failure.isPresent()) {
            throw failure.get();
        }
        if (errors >= 2 * errorsTold && errors > 0) {
            LOG.warn("background flush or compaction failed count={}", errors);
            errorsTold = errors;
        }
        backgroundErrors = errors;
        rocks.probe();
        guard.foundRoom();
    }

    /** Does not wait for a check that is under way. */
    @Override
    public void close() {
        looks.cancel(false);
    }
}
