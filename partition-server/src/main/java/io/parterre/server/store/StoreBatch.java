package io.parterre.server.store;

import io.parterre.range.RangeId;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Rows that are written together or not at all. {@link #clear} empties the batch for reuse. Not
 * thread-safe; holds native memory until closed.
 */
public final class StoreBatch implements AutoCloseable {
    /** Native memory that is kept for the next rows; the memory of a larger batch is freed. */
    private static final long KEPT_BYTES = 256 << 10;

    private WriteBatch batch = new WriteBatch();
    private long sizeBytes;

    public void put(byte[] key, byte[] value) {
        sizeBytes += key.length + value.length;
        try {
            batch.put(key, value);
        } catch (RocksDBException failure) {
            throw new StoreException("batch put", failure);
        }
    }

    public void delete(byte[] key) {
        try {
            batch.delete(key);
        } catch (RocksDBException failure) {
            throw new StoreException("batch delete", failure);
        }
    }

    public void deleteRange(byte[] start, byte[] endExclusive) {
        try {
            batch.deleteRange(start, endExclusive);
        } catch (RocksDBException failure) {
            throw new StoreException("batch delete range", failure);
        }
    }

    /** Removes all earlier local rows of the range. */
    public void deleteLocal(RangeId rangeId) {
        deleteRange(LocalKey.first(rangeId.value()), LocalKey.first(rangeId.value() + 1));
    }

    /**
     * Empties the batch. RocksDB's own clear keeps the memory of the largest batch, and each
     * replica has a batch for as long as it lives.
     */
    public void clear() {
        if (sizeBytes > KEPT_BYTES) {
            batch.close();
            batch = new WriteBatch();
        } else {
            batch.clear();
        }
        sizeBytes = 0;
    }

    WriteBatch batch() {
        return batch;
    }

    @Override
    public void close() {
        batch.close();
    }
}
