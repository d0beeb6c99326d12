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
 * Files of rows: those of the store, and those that it takes in. Safe for any thread; every method
 * may wait for the disk.
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

    /** Files of rows as they are now; each may be gone the next moment. */
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
     * Reads a file of rows through, past all caches of the store, and compares all checksums.
     *
     * @param ending whether the store fails where it is damaged, as if the block had been asked for
     * @throws StoreException if it is damaged
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

    /** A new file for {@link #ingest}. */
    public SstFile create(Path path) {
        guard.uses().enter();
        try {
            return new SstFile(rocks.options(), path);
        } finally {
            guard.uses().leave();
        }
    }

    /**
     * Takes the rows of all files into the store: all or none, newer than what was written before,
     * visible and durable at once. The files are gone when it returns.
     *
     * @param files of {@link #create}, no key in two of them
     * @throws CancellationException if the store ends while it waits for room; nothing was taken
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
     * Drops what lies in files that hold nothing but rows of these intervals, at once and for good;
     * other rows of theirs stay, and even deleted ones may come back. To be called before the
     * intervals are deleted, when a crash in between does no harm.
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
     * Notices from now on when files of an interval are dropped: those who then open rows of an
     * older snapshot find fewer than it had, or others. To be closed.
     */
    public DropWatch watchDrops(KeyRange range) {
        DropWatch watch = new DropWatch(range, dropWatches::remove);
        dropWatches.add(watch);
        return watch;
    }

    /** Before it happens. */
    void dropping(KeyRange range) {
        dropWatches.forEach(watch -> watch.dropping(range));
    }
}
