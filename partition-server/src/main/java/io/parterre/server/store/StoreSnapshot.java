package io.parterre.server.store;

import io.parterre.key.KeyRange;
import io.parterre.range.RangeId;
import java.util.Optional;
import java.util.function.Function;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;

/**
 * All rows at one moment. One thread at a time; holds native memory and keeps old versions of rows
 * until closed.
 */
public final class StoreSnapshot implements AutoCloseable {
    private final RocksDB db;
    private final Snapshot snapshot;
    private final ReadOptions options;
    private final Function<RocksDBException, StoreException> onFailure;
    private final Runnable onClose;

    StoreSnapshot(
            RocksDB db, Function<RocksDBException, StoreException> onFailure, Runnable onClose) {
        this.db = db;
        this.snapshot = db.getSnapshot();
        this.options = new ReadOptions().setSnapshot(snapshot).setFillCache(false);
        this.onFailure = onFailure;
        this.onClose = onClose;
    }

    /** Returns the value that a row had; empty: there was no such row. */
    public Optional<byte[]> get(byte[] key) {
        try {
            return Optional.ofNullable(db.get(options, key));
        } catch (RocksDBException failure) {
            throw onFailure.apply(failure);
        }
    }

    /** Returns the rows of an interval. The cursor must be closed before the snapshot. */
    public StoreCursor scan(KeyRange range) {
        return scan(range.start().unsafeBytes(), range.endExclusive().unsafeBytes());
    }

    /** Returns the local rows of a range. The cursor must be closed before the snapshot. */
    public StoreCursor scanLocal(RangeId rangeId) {
        return scan(LocalKey.first(rangeId.value()), LocalKey.first(rangeId.value() + 1));
    }

    /**
     * Returns the change records of a range after an entry. The cursor must be closed before the
     * snapshot.
     */
    public StoreCursor scanRecords(RangeId rangeId, long afterIndex) {
        return scan(RecordKey.after(rangeId, afterIndex), RecordKey.lastRecord(rangeId));
    }

    private StoreCursor scan(byte[] start, byte[] endExclusive) {
        return new StoreCursor(
                db, new ReadOptions(options), start, endExclusive, onFailure, () -> {});
    }

    @Override
    public void close() {
        options.close();
        db.releaseSnapshot(snapshot);
        onClose.run();
    }
}
