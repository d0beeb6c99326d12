package io.parterre.server.store;

import io.parterre.key.KeyRange;
import java.util.List;
import org.rocksdb.Range;
import org.rocksdb.RocksDB;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;

/** Approximate bytes of an interval's rows, without reading rows. Stateless. */
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

    /**
     * Needs at least one flag. Without one, RocksDB refuses, and its Java part returns an arbitrary
     * number.
     */
    private static long bytes(RocksDB db, KeyRange range, SizeApproximationFlag... included) {
        try (Slice from = new Slice(range.start().unsafeBytes());
                Slice to = new Slice(range.endExclusive().unsafeBytes())) {
            return db.getApproximateSizes(List.of(new Range(from, to)), included)[0];
        }
    }
}
