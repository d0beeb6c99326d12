package io.parterre.server.store;

import io.parterre.key.KeyRange;
import java.util.List;
import org.rocksdb.Range;
import org.rocksdb.RocksDB;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;

/** Bytes of an interval's rows, about, without reading rows. Stateless. */
final class IntervalBytes {
    private IntervalBytes() {}

    static long onDisk(RocksDB db, KeyRange range) {
        return bytes(db, range, SizeApproximationFlag.INCLUDE_FILES);
    }

    static long onDiskAndInMemory(RocksDB db, KeyRange range) {
        return bytes(
                db,
                range,
                SizeApproximationFlag.INCLUDE_FILES,
                SizeApproximationFlag.INCLUDE_MEMTABLES);
    }

    /** Told to include nothing, RocksDB refuses, and its Java part answers with any number. */
    private static long bytes(RocksDB db, KeyRange range, SizeApproximationFlag... included) {
        try (Slice from = new Slice(range.start().unsafeBytes());
                Slice to = new Slice(range.endExclusive().unsafeBytes())) {
            return db.getApproximateSizes(List.of(new Range(from, to)), included)[0];
        }
    }
}
