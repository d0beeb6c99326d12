package io.parterre.server.store;

import io.parterre.range.RangeId;
import io.parterre.server.record.ChangeRecordCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.rocksdb.RocksIterator;

/** The rows of change records in the store. Safe for any thread; waits for the disk. */
final class RecordRows {
    /** What a call has deleted. */
    record Deleted(int rows, long bytes) {}

    private final RocksResources rocks;
    private final StoreGuard guard;

    RecordRows(RocksResources rocks, StoreGuard guard) {
        this.rocks = rocks;
        this.guard = guard;
    }

    /** Returns the bytes of all records and notes. */
    long sizeBytes() {
        return guard.guarded(
                "scan",
                () -> {
                    long size = 0;
                    try (RocksIterator rows = rocks.db.newIterator(rocks.read)) {
                        for (rows.seek(RecordKey.first()); isRecord(rows); rows.next()) {
                            size += rows.key().length + (long) rows.value().length;
                        }
                        rows.status();
                    }
                    return size;
                });
    }

    private static boolean isRecord(RocksIterator rows) {
        return rows.isValid() && rows.key()[0] == LocalKey.TAG;
    }

    /**
     * Returns the closed spans of a range by the index after which they begin. The index in the
     * value is that of the last entry.
     */
    Map<Long, RecordsBegun> closed(RangeId rangeId) {
        return guard.guarded(
                "scan",
                () -> {
                    Map<Long, RecordsBegun> closed = new TreeMap<>();
                    try (RocksIterator rows = rocks.db.newIterator(rocks.read)) {
                        for (rows.seek(RecordKey.closed(rangeId, 0));
                                rows.isValid() && RecordKey.isClosedOf(rows.key(), rangeId);
                                rows.next()) {
                            closed.put(
                                    RecordKey.index(rows.key()), RecordsBegun.decode(rows.value()));
                        }
                        rows.status();
                    }
                    return closed;
                });
    }

    /** Returns the ranges that have any record or note. */
    List<RangeId> ranges() {
        return guard.guarded(
                "scan",
                () -> {
                    List<RangeId> ranges = new ArrayList<>();
                    try (RocksIterator rows = rocks.db.newIterator(rocks.read)) {
                        rows.seek(RecordKey.ofNextRange(0));
                        while (isRecord(rows)) {
                            long rangeId = RecordKey.rangeId(rows.key());
                            ranges.add(new RangeId(rangeId));
                            rows.seek(RecordKey.ofNextRange(rangeId));
                        }
                        rows.status();
                    }
                    return ranges;
                });
    }

    /**
     * Returns the index of a range's last record; -1: there is none.
     *
     * @param whole whether the entry has to be recorded to its end; if not, the one before counts
     */
    long last(RangeId rangeId, boolean whole) {
        return guard.guarded(
                "scan",
                () -> {
                    try (RocksIterator rows = rocks.db.newIterator(rocks.read)) {
                        rows.seekForPrev(RecordKey.lastRecord(rangeId));
                        boolean any = rows.isValid() && RecordKey.isRecordOf(rows.key(), rangeId);
                        long index = any ? RecordKey.index(rows.key()) : -1;
                        if (any && whole && !ChangeRecordCodec.isLast(rows.value())) {
                            index--;
                        }
                        rows.status();
                        return index;
                    }
                });
    }

    /** Adds the deletion of the first of a range's records up to an entry to a batch. */
    Deleted delete(RangeId rangeId, long index, int rowsMax, StoreBatch batch) {
        return guard.guarded(
                "scan",
                () -> {
                    int count = 0;
                    long bytes = 0;
                    try (RocksIterator rows = rocks.db.newIterator(rocks.read)) {
                        for (rows.seek(RecordKey.firstRecord(rangeId));
                                rows.isValid()
                                        && RecordKey.isRecordOf(rows.key(), rangeId)
                                        && RecordKey.index(rows.key()) <= index
                                        && count < rowsMax;
                                rows.next()) {
                            batch.delete(rows.key());
                            bytes += rows.key().length + (long) rows.value().length;
                            count++;
                        }
                        rows.status();
                    }
                    return new Deleted(count, bytes);
                });
    }
}
