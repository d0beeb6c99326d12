package io.parterre.server.store;

import java.nio.file.Path;
import org.rocksdb.EnvOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;

/**
 * A file of rows in key order, to be ingested into the store later. On disk once {@link #finish}
 * has returned. Not thread-safe; holds native memory until closed.
 */
public final class SstFile implements AutoCloseable {
    private final EnvOptions environment = new EnvOptions();
    private final SstFileWriter writer;
    private final Path path;
    private long bytes;

    SstFile(Options options, Path path) {
        this.path = path;
        this.writer = new SstFileWriter(environment, options);
        try {
            writer.open(path.toString());
        } catch (RocksDBException failure) {
            close();
            throw new StoreException("file of rows not opened: " + path, failure);
        }
    }

    /** Adds a row, whose key must be greater than all earlier keys. */
    public void put(byte[] key, byte[] value) {
        try {
            writer.put(key, value);
            bytes += key.length + value.length;
        } catch (RocksDBException failure) {
            throw new StoreException("row not written to " + path, failure);
        }
    }

    /** Returns the bytes of keys and values so far. */
    public long bytes() {
        return bytes;
    }

    /** Writes the file out; it must have at least one row. */
    public void finish() {
        try {
            writer.finish();
        } catch (RocksDBException failure) {
            throw new StoreException("file of rows not written: " + path, failure);
        }
    }

    @Override
    public void close() {
        writer.close();
        environment.close();
    }
}
