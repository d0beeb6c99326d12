package io.parterre.server.store;

import io.parterre.crash.CrashHook;
import io.parterre.key.KeyRange;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.metrics.PartitionServerMetrics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All rows of the node. Safe for any thread; every method may wait for the disk.
 *
 * <p>Writes stay in memory until a flush. A crash keeps all writes up to some moment and none after
 * it. Flushes happen when memory is full, at the latest {@link StoreConfig#flushAgeMax} after the
 * first unflushed write, and at close. The first disk error ends everything: it is reported once,
 * and from then on every write fails. A full disk is no such error. Rows can still be read, and
 * writes wait until RocksDB has found room again, which it checks every few seconds.
 */
public final class ServerStore implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerStore.class);
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);

    private final RocksResources rocks;
    private final StoreGuard guard;
    private final RowFiles files;
    private final LocalRows localRows;
    private final ChangeRecords records;
    private final Reclaimer reclaimer;
    private final StoreFlushes flushes;
    private final StoreUpkeep upkeep;

    private ServerStore(
            RocksResources rocks,
            StoreConfig config,
            ScheduledExecutorService scheduler,
            LongSupplier nanoTicker,
            PartitionServerMetrics metrics,
            Consumer<StoreFailure> onFailure,
            CrashHook<CrashPoint> crash) {
        this.rocks = rocks;
        this.guard = new StoreGuard(rocks, nanoTicker, onFailure);
        this.files = new RowFiles(rocks, guard);
        this.localRows = new LocalRows(rocks, guard);
        this.records = new ChangeRecords(rocks, guard, this);
        this.reclaimer = new Reclaimer(rocks.db, files::dropping);
        this.flushes =
                new StoreFlushes(
                        rocks, guard, reclaimer, config.flushAgeMax(), nanoTicker, metrics, crash);
        this.upkeep = new StoreUpkeep(rocks, guard, flushes, metrics, scheduler);
    }

    /**
     * Opens the store, a new one if the folder is empty.
     *
     * @param scheduler runs the upkeep, which waits for the disk
     * @param onFailure receives the first disk error, once
     * @throws DamagedStoreException if data is damaged that has to be read to open the store
     */
    public static ServerStore open(
            Path folder,
            StoreConfig config,
            ScheduledExecutorService scheduler,
            LongSupplier nanoTicker,
            PartitionServerMetrics metrics,
            Consumer<StoreFailure> onFailure)
            throws IOException {
        return open(folder, config, scheduler, nanoTicker, metrics, onFailure, CrashHook.none());
    }

    /**
     * Opens the store as above.
     *
     * @param crash is notified of flushes
     */
    public static ServerStore open(
            Path folder,
            StoreConfig config,
            ScheduledExecutorService scheduler,
            LongSupplier nanoTicker,
            PartitionServerMetrics metrics,
            Consumer<StoreFailure> onFailure,
            CrashHook<CrashPoint> crash)
            throws IOException {
        try {
            RocksResources rocks = RocksResources.open(folder, config);
            return new ServerStore(rocks, config, scheduler, nanoTicker, metrics, onFailure, crash);
        } catch (RocksDBException failure) {
            String what = "cannot open the store in " + folder;
            if (StoreFailure.damage(failure).isPresent()) {
                throw new DamagedStoreException(what, failure);
            }
            throw new IOException(what, failure);
        }
    }

    /** Returns the value of a row; empty: there is no such row. */
    public Optional<byte[]> get(byte[] key) {
        return guard.guarded("get", () -> Optional.ofNullable(rocks.db.get(rocks.read, key)));
    }

    /** Returns the value of a row that would be found after a crash now. */
    public Optional<byte[]> getDurable(byte[] key) {
        return guard.guarded(
                "get", () -> Optional.ofNullable(rocks.db.get(rocks.readPersisted, key)));
    }

    /**
     * Returns the current rows of an interval, from its first key on. The caller closes the cursor.
     */
    public StoreCursor scan(KeyRange range) {
        guard.uses().enter();
        try {
            return new StoreCursor(
                    rocks.db,
                    new ReadOptions(),
                    range.start().unsafeBytes(),
                    range.endExclusive().unsafeBytes(),
                    failure -> guard.fail("scan", failure),
                    guard.uses()::leave);
        } catch (RuntimeException failure) {
            guard.uses().leave();
            throw failure;
        }
    }

    /** Returns a snapshot of all rows. The caller closes it. */
    public StoreSnapshot snapshot() {
        guard.uses().enter();
        try {
            return new StoreSnapshot(
                    rocks.db, failure -> guard.fail("snapshot", failure), guard.uses()::leave);
        } catch (RuntimeException failure) {
            guard.uses().leave();
            throw failure;
        }
    }

    /** Returns the files of rows. */
    public RowFiles files() {
        return files;
    }

    /** Returns the local rows, in which replicas keep their own state. */
    public LocalRows localRows() {
        return localRows;
    }

    /** Returns the change records, which are kept until an archive has them. */
    public ChangeRecords records() {
        return records;
    }

    /**
     * Returns the approximate bytes of an interval's rows in files and memory, without reading
     * rows.
     */
    public long approximateBytes(KeyRange range) {
        return guard.guarded("size", () -> IntervalBytes.onDiskAndInMemory(rocks.db, range));
    }

    /**
     * Returns the approximate bytes of an interval's rows on disk; rows only in memory do not
     * count.
     */
    public long sizeBytes(KeyRange range) {
        return guard.guarded("size", () -> IntervalBytes.onDisk(rocks.db, range));
    }

    /**
     * Writes all rows of the batch, visible at once.
     *
     * @throws StoreException if the write failed; then nothing was written, and no later write
     *     succeeds
     * @throws CancellationException if the store ends while this waits for room; nothing was
     *     written
     */
    public void write(StoreBatch batch) {
        guard.refuseAfterFailure();
        guard.onceRoom("write", () -> rocks.db.write(rocks.writeWithoutLog, batch.batch()));
        flushes.written();
    }

    /**
     * Returns when everything written before is on disk.
     *
     * @throws CancellationException if the store ends while this waits for room
     */
    public void flush() {
        flushes.flush();
    }

    /**
     * Flushes like {@link #flush}, but does not wait for room.
     *
     * @throws StoreException if the disk is full, or fails
     */
    public void flushNow() {
        flushes.flushNow();
    }

    /** Frees the disk space of an interval that was deleted and will never be written again. */
    public void reclaim(KeyRange range) {
        reclaimer.add(range);
    }

    /** Keeps the files of deleted keys within the interval that are not reclaimed yet. */
    public void keepFiles(KeyRange range) {
        reclaimer.keep(range);
    }

    /** Returns whether writes wait until the disk has room. Never blocks. */
    public boolean isFull() {
        return guard.isFull();
    }

    /** Returns how long the oldest unfinished write, flush or ingest has taken so far. */
    public Duration unfinishedAge() {
        return guard.unfinishedAge();
    }

    /** Returns the number of failed flushes and compactions that RocksDB started itself. */
    long backgroundErrors() {
        return upkeep.backgroundErrors();
    }

    /**
     * Ends all waits for room, now and later. To be called before waiting for threads that write.
     */
    public void ending() {
        guard.ending();
    }

    /** Flushes and closes. */
    @Override
    public void close() {
        upkeep.close();
        ending();
        try {
            if (!guard.hasFailed() && !guard.uses().isClosed()) {
                flushNow();
            }
        } catch (StoreException failure) {
            LOG.warn("flush at close failed; the Raft logs still have what it would have written");
        } finally {
            abandon();
        }
    }

    /** Closes without a flush: for a store that failed, and for tests of a crash. */
    public void abandon() {
        upkeep.close();
        ending();
        if (!guard.uses().close()) {
            return;
        }
        reclaimer.close();
        if (guard.uses().awaitNone(CLOSE_WAIT)) {
            rocks.close();
        } else {
            // Closing while a reader uses the database would crash the process.
            LOG.warn("store left open at exit: still in use");
        }
    }
}
