package io.parterre.server.store;

import io.parterre.concurrent.DaemonThreads;
import io.parterre.key.KeyRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees the disk space of deleted intervals: drops whole files first, and compacts the rest.
 *
 * <p>Files are dropped at once and for good, also for a restart that goes back to the last flush.
 * An interval therefore waits for a flush that covers its deletion. Otherwise the log would be
 * replayed over rows that no longer exist. This is an optimization: an interval that is lost here,
 * by a full queue or a restart, is compacted in time.
 */
final class Reclaimer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Reclaimer.class);
    private static final int WAITING_MAX = 1_000;

    /** Smaller intervals are not compacted, because that would rewrite their neighbours. */
    private static final long COMPACTED_BYTES_MIN = 8 << 20;

    private final RocksDB db;
    private final Consumer<KeyRange> beforeDrop;
    private final BlockingQueue<Deleted> waiting = new ArrayBlockingQueue<>(WAITING_MAX);

    /** All waiting intervals, also those that wait for the thread. */
    private final Set<Deleted> pending = ConcurrentHashMap.newKeySet();

    private final ExecutorService worker;

    /**
     * Starts without intervals.
     *
     * @param beforeDrop receives an interval before files of it are dropped
     */
    Reclaimer(RocksDB db, Consumer<KeyRange> beforeDrop) {
        this.db = db;
        this.beforeDrop = beforeDrop;
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(
                        1,
                        1,
                        10,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(WAITING_MAX),
                        DaemonThreads.named("store-reclaim"));
        pool.allowCoreThreadTimeOut(true);
        this.worker = pool;
    }

    /** A deleted interval; instances are never equal. */
    private static final class Deleted {
        private final KeyRange range;
        private volatile boolean kept;

        Deleted(KeyRange range) {
            this.range = range;
        }
    }

    /** Intervals that were deleted before a flush began. */
    static final class Round {
        private final List<Deleted> ranges;

        private Round(List<Deleted> ranges) {
            this.ranges = ranges;
        }
    }

    void add(KeyRange range) {
        Deleted deleted = new Deleted(range);
        pending.add(deleted);
        if (!waiting.offer(deleted)) {
            pending.remove(deleted);
            LOG.debug("left to compaction range={}", range);
        }
    }

    /** Keeps all files of pending deletions that overlap the interval. */
    void keep(KeyRange range) {
        pending.forEach(deleted -> deleted.kept |= deleted.range.overlaps(range));
    }

    Round begin() {
        List<Deleted> ranges = new ArrayList<>();
        waiting.drainTo(ranges);
        return new Round(ranges);
    }

    /** Queues the intervals of a round whose flush has succeeded. */
    void end(Round round) {
        for (Deleted deleted : round.ranges) {
            try {
                worker.execute(() -> reclaim(deleted));
            } catch (RejectedExecutionException full) {
                pending.remove(deleted);
                LOG.debug("left to compaction range={}", deleted.range, full);
            }
        }
    }

    private void reclaim(Deleted deleted) {
        pending.remove(deleted);
        KeyRange range = deleted.range;
        if (deleted.kept) {
            return;
        }
        byte[] start = range.start().unsafeBytes();
        byte[] end = range.endExclusive().unsafeBytes();
        if (worker.isShutdown()) {
            return;
        }
        try {
            beforeDrop.accept(range);
            db.deleteFilesInRanges(db.getDefaultColumnFamily(), List.of(start, end), false);
            if (IntervalBytes.onDisk(db, range) >= COMPACTED_BYTES_MIN) {
                db.compactRange(start, end);
            }
        } catch (RocksDBException failure) {
            LOG.info("space not reclaimed range={}", range, failure);
        }
    }

    @Override
    public void close() {
        waiting.clear();
        worker.shutdown();
        db.cancelAllBackgroundWork(false);
        worker.shutdownNow();
        if (!DaemonThreads.awaitEnd(worker, Duration.ofSeconds(10))) {
            LOG.warn("reclaiming space still runs at close");
        }
    }
}
