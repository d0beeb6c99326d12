package io.parterre.server.store;

import io.parterre.range.RangeId;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Rows that are written together or not at all. Reused: {@link #clear} empties it. Not thread-safe;
 * holds native memory until closed.
 */
public final class StoreBatch implements AutoCloseable {
    private final WriteBatch batch = new WriteBatch();

    public void put(byte[] key, byte[] value) {
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

    /** Removes every local row of the range that was written before. */
    public void deleteLocal(RangeId rangeId) {
        deleteRange(LocalKey.first(rangeId.value()), LocalKey.first(rangeId.value() + 1));
    }

    public void clear() {
        batch.clear();
    }

    WriteBatch batch() {
        return batch;
    }

    @Override
    public void close() {
        batch.close();
    }
}
