package io.parterre.server.store;

import io.parterre.server.query.RowSource;
import java.util.function.Function;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/**
 * Rows of an interval at the moment when the cursor was opened. Keys and values are copied into
 * arrays that are reused, so a long scan allocates nothing per row. Not thread-safe; holds native
 * memory until closed.
 */
public final class StoreCursor implements RowSource, AutoCloseable {
    private final Slice upperBound;
    private final ReadOptions options;
    private final RocksIterator rows;
    private final Function<RocksDBException, StoreException> onFailure;
    private final Runnable onClose;
    private byte[] key = new byte[256];
    private int keyLength;
    private byte[] value = new byte[4096];
    private int valueLength;
    private boolean valid;

    StoreCursor(
            RocksDB db,
            ReadOptions options,
            byte[] start,
            byte[] endExclusive,
            Function<RocksDBException, StoreException> onFailure,
            Runnable onClose) {
        this.upperBound = new Slice(endExclusive);
        this.options = options.setIterateUpperBound(upperBound);
        this.rows = db.newIterator(options);
        this.onFailure = onFailure;
        this.onClose = onClose;
        try {
            rows.seek(start);
            load();
        } catch (RuntimeException failure) {
            closeNative();
            throw failure;
        }
    }

    @Override
    public boolean valid() {
        return valid;
    }

    @Override
    public void next() {
        rows.next();
        load();
    }

    private void load() {
        valid = rows.isValid();
        if (!valid) {
            try {
                // An iterator also ends at a disk error, which is not the end of the rows.
                rows.status();
            } catch (RocksDBException failure) {
                throw onFailure.apply(failure);
            }
            return;
        }
        keyLength = rows.key(key);
        if (keyLength > key.length) {
            key = new byte[keyLength * 2];
            keyLength = rows.key(key);
        }
        valueLength = rows.value(value);
        if (valueLength > value.length) {
            value = new byte[valueLength * 2];
            valueLength = rows.value(value);
        }
    }

    @Override
    public byte[] key() {
        return key;
    }

    @Override
    public int keyLength() {
        return keyLength;
    }

    @Override
    public byte[] value() {
        return value;
    }

    @Override
    public int valueLength() {
        return valueLength;
    }

    @Override
    public void close() {
        closeNative();
        onClose.run();
    }

    private void closeNative() {
        rows.close();
        options.close();
        upperBound.close();
    }
}
