package io.parterre.server.store;

import io.parterre.crash.CrashHook;
import io.parterre.key.KeyRange;
import io.parterre.range.RangeId;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.metrics.PartitionServerMetrics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.Options;
import org.rocksdb.Range;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;
import org.rocksdb.SstFileReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All rows of the node. Safe for any thread; every method may wait for the disk.
 *
 * <p>Writes stay in memory until a flush; what survives a crash is always all writes up to some
 * moment and none after it. Flushes happen when memory fills, at the latest {@link
 * StoreConfig#flushAgeMax} after the first unflushed write, and at close. The first disk error ends
 * everything: it is reported once, and from then on every write fails. A full disk is none: rows
 * can be read, and what writes waits until RocksDB has found room again, which it looks for every
 * few seconds.
 */
public final class ServerStore implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerStore.class);
    private static final Duration UPKEEP_INTERVAL = Duration.ofSeconds(1);
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);
    private static final Duration ROOM_POLL = Duration.ofMillis(500);
    private static final long CLEAN = Long.MIN_VALUE;

    private final RocksResources rocks;
    private final StoreConfig config;
    private final LongSupplier nanoTicker;
    private final PartitionServerMetrics metrics;
    private final Consumer<StoreFailure> onFailure;
    private final CrashHook<CrashPoint> crash;
    private final UseCount uses = new UseCount();
    private final Reclaimer reclaimer;
    private final ScheduledFuture<?> upkeep;
    private final AtomicBoolean failed = new AtomicBoolean();
    private final AtomicBoolean full = new AtomicBoolean();
    private final CountDownLatch ending = new CountDownLatch(1);
    private final AtomicLong unflushedSinceNanos = new AtomicLong(CLEAN);
    private final Unfinished unfinished;
    private final AtomicLong diskBytes = new AtomicLong();
    private final AtomicLong memoryBytes = new AtomicLong();
    private final Set<DropWatch> dropWatches = ConcurrentHashMap.newKeySet();

    // Written by the upkeep alone.
    private volatile long backgroundErrors;
    private long errorsTold;

    private ServerStore(
            RocksResources rocks,
            StoreConfig config,
            ScheduledExecutorService scheduler,
            LongSupplier nanoTicker,
            PartitionServerMetrics metrics,
            Consumer<StoreFailure> onFailure,
            CrashHook<CrashPoint> crash) {
        this.rocks = rocks;
        this.config = config;
        this.nanoTicker = nanoTicker;
        this.metrics = metrics;
        this.onFailure = onFailure;
        this.crash = crash;
        this.reclaimer = new Reclaimer(rocks.db, this::dropping);
        this.unfinished = new Unfinished(nanoTicker);
        metrics.storeBytes(diskBytes, memoryBytes);
        this.upkeep =
                scheduler.scheduleWithFixedDelay(
                        this::upkeep,
                        UPKEEP_INTERVAL.toMillis(),
                        UPKEEP_INTERVAL.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    /**
     * Opens the store, a new one if the folder is empty.
     *
     * @param scheduler runs the upkeep, which waits for the disk
     * @param onFailure told once about the first disk error
     * @throws DamagedStoreException if it is damaged where it has to be read to be opened
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

    /** Tells of flushes. */
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

    /** The value of a row. */
    public Optional<byte[]> get(byte[] key) {
        return guarded("get", () -> Optional.ofNullable(rocks.db.get(rocks.read, key)));
    }

    /** The value of a row as it would be found after a crash now. */
    public Optional<byte[]> getDurable(byte[] key) {
        return guarded("get", () -> Optional.ofNullable(rocks.db.get(rocks.readPersisted, key)));
    }

    /** Rows of an interval as they are now, from its first key on; to be closed. */
    public StoreCursor scan(KeyRange range) {
        uses.enter();
        try {
            return new StoreCursor(
                    rocks.db,
                    new ReadOptions(),
                    range.start().unsafeBytes(),
                    range.endExclusive().unsafeBytes(),
                    failure -> fail("scan", failure),
                    uses::leave);
        } catch (RuntimeException failure) {
            uses.leave();
            throw failure;
        }
    }

    /** All rows as they are now; to be closed. */
    public StoreSnapshot snapshot() {
        uses.enter();
        try {
            return new StoreSnapshot(rocks.db, failure -> fail("snapshot", failure), uses::leave);
        } catch (RuntimeException failure) {
            uses.leave();
            throw failure;
        }
    }

    /**
     * Notices from now on when files of an interval are dropped: those who then open rows of an
     * older snapshot find fewer than it had, or others. To be closed.
     */
    public DropWatch watchDrops(KeyRange range) {
        DropWatch watch = new DropWatch(range, dropWatches::remove);
        dropWatches.add(watch);
        return watch;
    }

    private void dropping(KeyRange range) {
        dropWatches.forEach(watch -> watch.dropping(range));
    }

    /** Bytes of the rows of an interval, as far as files and memory tell without reading rows. */
    public long approximateBytes(KeyRange range) {
        return guarded(
                "size",
                () ->
                        bytes(
                                rocks.db,
                                range,
                                SizeApproximationFlag.INCLUDE_FILES,
                                SizeApproximationFlag.INCLUDE_MEMTABLES));
    }

    /** A new file for {@link #ingest}. */
    public SstFile newFile(Path path) {
        uses.enter();
        try {
            return new SstFile(rocks.options(), path);
        } finally {
            uses.leave();
        }
    }

    /**
     * Takes the rows of all files into the store: all or none, newer than what was written before,
     * visible and durable at once. The files are gone when it returns.
     *
     * @param files of {@link #newFile}, no key in two of them
     */
    public void ingest(List<Path> files) {
        if (failed.get()) {
            throw new StoreException("the store has failed before");
        }
        onceRoom(
                "ingest",
                () -> {
                    try (IngestExternalFileOptions options = new IngestExternalFileOptions()) {
                        options.setMoveFiles(true);
                        rocks.db.ingestExternalFile(
                                files.stream().map(Path::toString).toList(), options);
                    }
                    return null;
                });
    }

    /**
     * Writes all rows of the batch, visible at once.
     *
     * @throws StoreException if it failed; then and from then on nothing was written
     * @throws CancellationException if the store ends while it waits for room; nothing was written
     */
    public void write(StoreBatch batch) {
        if (failed.get()) {
            throw new StoreException("the store has failed before");
        }
        onceRoom(
                "write",
                () -> {
                    rocks.db.write(rocks.writeWithoutLog, batch.batch());
                    return null;
                });
        unflushedSinceNanos.compareAndSet(CLEAN, nanoTicker.getAsLong());
    }

    /**
     * Returns when everything written before is on disk.
     *
     * @throws CancellationException if the store ends while it waits for room
     */
    public void flush() {
        while (true) {
            try {
                flushNow();
                return;
            } catch (StoreFullException noRoom) {
                awaitRoom(noRoom);
            }
        }
    }

    /**
     * The same, but does not wait for room.
     *
     * @throws StoreException if the disk is full, or fails
     */
    public void flushNow() {
        try {
            flushOnce();
        } catch (StoreFullException noRoom) {
            // Or the upkeep would take all of it for flushed.
            unflushedSinceNanos.compareAndSet(CLEAN, nanoTicker.getAsLong());
            throw noRoom;
        }
    }

    private void flushOnce() {
        long startNanos = nanoTicker.getAsLong();
        // Before the flush: a write that comes during it starts a new age.
        unflushedSinceNanos.set(CLEAN);
        Reclaimer.Round reclaimable = reclaimer.begin();
        crash.reached(CrashPoint.BEFORE_FLUSH);
        timed(
                "flush",
                () -> {
                    rocks.db.flush(rocks.flush);
                    return null;
                });
        crash.reached(CrashPoint.AFTER_FLUSH);
        metrics.flushed(Duration.ofNanos(nanoTicker.getAsLong() - startNanos));
        reclaimer.end(reclaimable);
    }

    /**
     * Drops what lies in files that hold nothing but rows of these intervals, at once and for good;
     * other rows of theirs stay, and even deleted ones may come back. To be called before the
     * intervals are deleted, when a crash in between does no harm.
     */
    public void dropFiles(List<KeyRange> ranges) {
        List<byte[]> bounds = new ArrayList<>();
        for (KeyRange range : ranges) {
            bounds.add(range.start().unsafeBytes());
            bounds.add(range.endExclusive().unsafeBytes());
        }
        if (bounds.isEmpty()) {
            return;
        }
        ranges.forEach(this::dropping);
        onceRoom(
                "drop",
                () -> {
                    rocks.db.deleteFilesInRanges(rocks.db.getDefaultColumnFamily(), bounds, false);
                    return null;
                });
    }

    /** Frees the disk space of an interval that was deleted and will never be written again. */
    public void reclaim(KeyRange range) {
        reclaimer.add(range);
    }

    /**
     * No file is dropped any more of what was deleted within the interval and not reclaimed yet.
     */
    public void keepFiles(KeyRange range) {
        reclaimer.keep(range);
    }

    /** Ranges that have local rows. */
    public List<RangeId> rangesWithLocalRows() {
        return guarded(
                "scan",
                () -> {
                    List<RangeId> ranges = new ArrayList<>();
                    try (RocksIterator rows = rocks.db.newIterator(rocks.read)) {
                        rows.seek(LocalKey.first(0));
                        while (rows.isValid() && rows.key()[0] == LocalKey.TAG) {
                            long rangeId = LocalKey.rangeId(rows.key());
                            ranges.add(new RangeId(rangeId));
                            rows.seek(LocalKey.first(rangeId + 1));
                        }
                        rows.status();
                    }
                    return ranges;
                });
    }

    /** All local rows of a range. */
    public List<StoredRow> localRows(RangeId rangeId) {
        return guarded(
                "scan",
                () -> {
                    List<StoredRow> found = new ArrayList<>();
                    byte[] first = LocalKey.first(rangeId.value());
                    try (RocksIterator rows = rocks.db.newIterator(rocks.read)) {
                        for (rows.seek(first); rows.isValid(); rows.next()) {
                            byte[] key = rows.key();
                            if (key[0] != LocalKey.TAG
                                    || LocalKey.rangeId(key) != rangeId.value()) {
                                break;
                            }
                            found.add(new StoredRow(key, rows.value()));
                        }
                        rows.status();
                    }
                    return found;
                });
    }

    /** A file of rows. */
    public record RowFile(Path path, long bytes) {}

    /** Files of rows as they are now; each may be gone the next moment. */
    public List<RowFile> files() {
        return guarded(
                "list files",
                () ->
                        rocks.db.getLiveFilesMetaData().stream()
                                .map(
                                        file ->
                                                new RowFile(
                                                        Path.of(file.path(), file.fileName()),
                                                        file.size()))
                                .toList());
    }

    /**
     * Reads a file of rows through, past all caches of the store, and compares all checksums.
     *
     * @param ending whether the store fails where it is damaged, as if the block had been asked for
     * @throws StoreException if it is damaged
     */
    public void verify(RowFile file, boolean ending) {
        uses.enter();
        try (Options options = new Options();
                SstFileReader reader = new SstFileReader(options)) {
            reader.open(file.path().toString());
            reader.verifyChecksum();
        } catch (RocksDBException failure) {
            boolean inUse = files().stream().anyMatch(each -> each.path().equals(file.path()));
            if (!inUse) {
                LOG.debug("file is gone file={}", file.path(), failure);
            } else if (ending) {
                throw fail("scrub", failure);
            } else {
                throw new StoreException("file is damaged: " + file.path(), failure);
            }
        } finally {
            uses.leave();
        }
    }

    /** Bytes on disk of an interval's rows, about; those only in memory do not count. */
    public long sizeBytes(KeyRange range) {
        return guarded("size", () -> sizeBytes(rocks.db, range));
    }

    static long sizeBytes(RocksDB db, KeyRange range) {
        return bytes(db, range, SizeApproximationFlag.INCLUDE_FILES);
    }

    /** Told to include nothing, RocksDB refuses, and its Java part answers with any number. */
    private static long bytes(
            RocksDB db,
            KeyRange range,
            SizeApproximationFlag first,
            SizeApproximationFlag... others) {
        List<SizeApproximationFlag> included = new ArrayList<>(List.of(first));
        included.addAll(List.of(others));
        try (Slice from = new Slice(range.start().unsafeBytes());
                Slice to = new Slice(range.endExclusive().unsafeBytes())) {
            return db.getApproximateSizes(
                            List.of(new Range(from, to)),
                            included.toArray(SizeApproximationFlag[]::new))[0];
        }
    }

    private void upkeep() {
        try {
            if (failed.get()) {
                return;
            }
            guarded(
                    "upkeep",
                    () -> {
                        lookForErrors();
                        diskBytes.set(rocks.db.getLongProperty("rocksdb.total-sst-files-size"));
                        memoryBytes.set(rocks.db.getLongProperty("rocksdb.size-all-mem-tables"));
                        return null;
                    });
            long since = unflushedSinceNanos.get();
            boolean old =
                    since != CLEAN
                            && nanoTicker.getAsLong() - since >= config.flushAgeMax().toNanos();
            if (old) {
                flushNow();
            }
        } catch (StoreException handled) {
            LOG.debug("upkeep ended early", handled);
        }
    }

    /** Of what RocksDB does by itself. */
    private void lookForErrors() throws RocksDBException {
        long errors = rocks.db.getLongProperty("rocksdb.background-errors");
        if (errors == backgroundErrors && !full.get()) {
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
        foundRoom();
    }

    /** Whether what writes waits until the disk has room. Never blocks. */
    public boolean isFull() {
        return full.get();
    }

    /** Flushes and compactions of RocksDB's own that have failed. */
    long backgroundErrors() {
        return backgroundErrors;
    }

    private void foundRoom() {
        if (full.compareAndSet(true, false)) {
            LOG.info("disk has room again, the store goes on");
        }
    }

    /** Polls, as RocksDB does. */
    private void awaitRoom(StoreFullException noRoom) {
        try {
            if (!ending.await(ROOM_POLL.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        CancellationException ended = new CancellationException("ended while the disk was full");
        ended.initCause(noRoom);
        throw ended;
    }

    /** From here on nobody waits for room any more; comes before what writes is waited for. */
    public void ending() {
        ending.countDown();
    }

    /** The same as {@link #timed}, but waits while the disk is full. That takes no time of it. */
    private <T> T onceRoom(String operation, Use<T> use) {
        while (true) {
            try {
                return timed(operation, use);
            } catch (StoreFullException noRoom) {
                awaitRoom(noRoom);
            }
        }
    }

    /** How long the oldest write, flush or ingest that has not ended has taken by now. */
    public Duration unfinishedAge() {
        return unfinished.age();
    }

    private <T> T timed(String operation, Use<T> use) {
        Object work = unfinished.begin();
        try {
            T result = guarded(operation, () -> withoutHindrance(use));
            foundRoom();
            return result;
        } finally {
            unfinished.end(work);
        }
    }

    /** RocksDB recovers only once it has nothing to do, and a flush that is asked for is that. */
    private <T> T withoutHindrance(Use<T> use) throws RocksDBException {
        if (full.get()) {
            rocks.probe();
        }
        return use.run();
    }

    private interface Use<T> {
        T run() throws RocksDBException;
    }

    private <T> T guarded(String operation, Use<T> use) {
        uses.enter();
        try {
            return use.run();
        } catch (RocksDBException failure) {
            throw fail(operation, failure);
        } finally {
            uses.leave();
        }
    }

    private StoreException fail(String operation, RocksDBException failure) {
        if (NoRoom.isOfRows(failure)) {
            if (full.compareAndSet(false, true)) {
                LOG.warn("disk full, the store waits for room operation={}", operation, failure);
            }
            return new StoreFullException("store " + operation + ": the disk is full", failure);
        }
        if (failed.compareAndSet(false, true)) {
            LOG.error("store failed operation={}", operation, failure);
            onFailure.accept(new StoreFailure("store " + operation, failure));
        }
        return new StoreException("store " + operation + " failed", failure);
    }

    /** Flushes and closes. */
    @Override
    public void close() {
        upkeep.cancel(false);
        ending();
        try {
            if (!failed.get() && !uses.isClosed()) {
                flushNow();
            }
        } catch (StoreException failure) {
            LOG.warn("flush at close failed; the Raft logs still have what it would have written");
        } finally {
            abandon();
        }
    }

    /** Closes without a flush: for a store that failed, and to see what a crash leaves. */
    public void abandon() {
        upkeep.cancel(false);
        ending();
        if (!uses.close()) {
            return;
        }
        reclaimer.close();
        if (uses.awaitNone(CLOSE_WAIT)) {
            rocks.close();
        } else {
            // Closing under a reader would crash the process.
            LOG.warn("store left open at exit: still in use");
        }
    }
}
