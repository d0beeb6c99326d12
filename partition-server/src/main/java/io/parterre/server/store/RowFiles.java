package io.parterre.server.store;

import io.parterre.key.KeyRange;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files of rows: those of the store, and those that the store ingests. Safe for any thread; every
 * method may wait for the disk.
 */
public final class RowFiles {
    private static final Logger LOG = LoggerFactory.getLogger(RowFiles.class);

    private final RocksResources rocks;
    private final StoreGuard guard;
    private final Set<DropWatch> dropWatches = ConcurrentHashMap.newKeySet();

    RowFiles(RocksResources rocks, StoreGuard guard) {
        this.rocks = rocks;
        this.guard = guard;
    }

    /** A file of rows. */
    public record RowFile(Path path, long bytes) {}

    /** Returns the current files of rows; each may be gone the next moment. */
    public List<RowFile> list() {
        return guard.guarded(
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
     * Reads a file of rows completely, past all caches of the store, and verifies all checksums.
     *
     * @param ending whether damage makes the store fail, as if a read had met the damaged block
     * @throws StoreException if the file is damaged
     */
    public void verify(RowFile file, boolean ending) {
        guard.uses().enter();
        try (Options options = new Options();
                SstFileReader reader = new SstFileReader(options)) {
            reader.open(file.path().toString());
            reader.verifyChecksum();
        } catch (RocksDBException failure) {
            boolean inUse = list().stream().anyMatch(each -> each.path().equals(file.path()));
            if (!inUse) {
                LOG.debug("file is gone file={}", file.path(), failure);
            } else if (ending) {
                throw guard.fail("scrub", failure);
            } else {
                throw new StoreException("file is damaged: " + file.path(), failure);
            }
        } finally {
            guard.uses().leave();
        }
    }

    /** Makes a new file for {@link #ingest}. */
    public SstFile create(Path path) {
        guard.uses().enter();
        try {
            return new SstFile(rocks.options(), path);
        } finally {
            guard.uses().leave();
        }
    }

    /**
     * Moves the rows of all files into the store: all or none, newer than all rows written before,
     * visible and durable at once. The files are gone when this method returns.
     *
     * @param files files from {@link #create}; no key is in two of them
     * @throws CancellationException if the store ends while this waits for room; nothing was
     *     ingested
     */
    public void ingest(List<Path> files) {
        guard.refuseAfterFailure();
        guard.onceRoom(
                "ingest",
                () -> {
                    try (IngestExternalFileOptions options = new IngestExternalFileOptions()) {
                        options.setMoveFiles(true);
                        rocks.db.ingestExternalFile(
                                files.stream().map(Path::toString).toList(), options);
                    }
                });
    }

    /**
     * Drops files that hold only rows of these intervals, at once and for good. The intervals' rows
     * in other files stay, and even deleted rows may come back. Must be called before the intervals
     * are deleted, and only where a crash in between does no harm.
     */
    public void drop(List<KeyRange> ranges) {
        List<byte[]> bounds = new ArrayList<>();
        for (KeyRange range : ranges) {
            bounds.add(range.start().unsafeBytes());
            bounds.add(range.endExclusive().unsafeBytes());
        }
        if (bounds.isEmpty()) {
            return;
        }
        ranges.forEach(this::dropping);
        guard.onceRoom(
                "drop",
                () ->
                        rocks.db.deleteFilesInRanges(
                                rocks.db.getDefaultColumnFamily(), bounds, false));
    }

    /**
     * Opens a watch for dropped files of an interval. Rows of an older snapshot that are opened
     * after a drop are incomplete or wrong. The caller closes the watch.
     */
    public DropWatch watchDrops(KeyRange range) {
        DropWatch watch = new DropWatch(range, dropWatches::remove);
        dropWatches.add(watch);
        return watch;
    }

    /** Notifies the watches before files of the interval are dropped. */
    void dropping(KeyRange range) {
        dropWatches.forEach(watch -> watch.dropping(range));
    }
}
