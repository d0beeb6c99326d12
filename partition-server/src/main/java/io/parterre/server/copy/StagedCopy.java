package io.parterre.server.copy;

import io.parterre.file.DurableFiles;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.HostedRangeCodec;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.FreeKeys;
import io.parterre.server.rows.StoredReplica;
import io.parterre.server.store.LocalKey;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.SstFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A copy of a replica on its way into the store: files of rows in a folder beside it. The rows of
 * the replaced replica stay unchanged until the whole copy is on disk. Confined to one thread.
 */
public final class StagedCopy implements ReplicaSink, AutoCloseable {
    /** Approximate size of a file; RocksDB itself makes none much larger. */
    private static final long FILE_BYTES = 64L << 20;

    private static final String SUFFIX = ".sst";

    private final ServerStore store;
    private final Path folder;
    private final RangeId rangeId;
    private final Map<byte[], byte[]> own = new TreeMap<>(Arrays::compareUnsigned);
    private Optional<HostedRange> range = Optional.empty();
    private Optional<AppliedPosition> applied = Optional.empty();
    private Optional<SstFile> file = Optional.empty();
    private int fileCount;

    /** Begins a new copy; the folder's earlier content is deleted. */
    public StagedCopy(ServerStore store, Path folder, RangeId rangeId) throws IOException {
        this.store = store;
        this.folder = folder;
        this.rangeId = rangeId;
        DurableFiles.removeFolder(folder);
        Files.createDirectories(folder);
    }

    public HostedRange range() {
        return range.orElseThrow();
    }

    public AppliedPosition applied() {
        return applied.orElseThrow();
    }

    public Path folder() {
        return folder;
    }

    @Override
    public void begin(HostedRange copied, AppliedPosition position) throws IOException {
        if (range.isPresent() || !copied.descriptor().rangeId().equals(rangeId)) {
            throw new IOException(
                    "copy of range "
                            + copied.descriptor().rangeId()
                            + " (expected: "
                            + rangeId
                            + ", once)");
        }
        range = Optional.of(copied);
        applied = Optional.of(position);
    }

    @Override
    public void row(byte[] key, byte[] value) throws IOException {
        if (range.isEmpty()) {
            throw new IOException("copy without a beginning");
        }
        if (LocalKey.isLocal(key)) {
            if (file.isPresent()
                    || !LocalKey.belongsTo(key, rangeId)
                    || !StoredReplica.isOfRange(key)) {
                throw new IOException("copy holds a local row that is not the range's");
            }
            own.put(key, value);
            return;
        }
        KeyRange data = FreeKeys.data(range.get().descriptor().bounds());
        if (!data.contains(Key.wrap(key))) {
            throw new IOException("copy holds a row outside of " + data);
        }
        if (file.isEmpty()) {
            writeOwn();
        }
        if (file.get().bytes() >= FILE_BYTES) {
            endFile();
            beginFile();
        }
        file.get().put(key, value);
    }

    /**
     * Writes the range's own rows, and with them the descriptor, position and phase that make the
     * replica whole. They exist exactly when the files have been ingested into the store.
     */
    private void writeOwn() {
        beginFile();
        own.put(StoredReplica.descriptorKey(rangeId), HostedRangeCodec.encode(range()));
        own.put(StoredReplica.appliedKey(rangeId), applied().encode());
        own.put(StoredReplica.phaseKey(rangeId), ReplicaPhase.JOINED.encode());
        own.forEach(file.get()::put);
        own.clear();
    }

    private void beginFile() {
        file =
                Optional.of(
                        store.files()
                                .create(folder.resolve(String.format("%06d" + SUFFIX, fileCount))));
        fileCount++;
    }

    private void endFile() {
        try (SstFile full = file.orElseThrow()) {
            full.finish();
        }
        file = Optional.empty();
    }

    /** Ends the copy after its last row. Everything is on disk when this method returns. */
    public void complete() throws IOException {
        if (range.isEmpty()) {
            throw new IOException("copy without a beginning");
        }
        if (file.isEmpty()) {
            writeOwn();
        }
        endFile();
        DurableFiles.syncFolder(folder);
        DurableFiles.syncFolder(folder.getParent());
        // The first copy of all has created the parent folder too.
        DurableFiles.syncFolder(folder.getParent().getParent());
    }

    /** Returns the files of a complete copy, in key order. */
    public static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> found = Files.list(folder)) {
            return found.filter(each -> each.toString().endsWith(SUFFIX)).sorted().toList();
        }
    }

    @Override
    public void close() {
        file.ifPresent(SstFile::close);
    }
}
