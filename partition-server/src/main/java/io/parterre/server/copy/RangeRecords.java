package io.parterre.server.copy;

import io.parterre.range.RangeId;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.ReplicaRows;
import io.parterre.server.store.RecordKey;
import io.parterre.server.store.RecordSpan;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreCursor;
import io.parterre.server.store.StoreSnapshot;
import java.io.IOException;
import java.util.Comparator;
import java.util.Optional;

/**
 * Records of what entries of a range have changed, from one snapshot of the store: of a replica, or
 * what one has left that is here no more. For one thread.
 */
public final class RangeRecords implements AutoCloseable {
    private final StoreSnapshot snapshot;
    private final StoreCursor records;
    private final long lastIndex;

    private RangeRecords(StoreSnapshot snapshot, StoreCursor records, long lastIndex) {
        this.snapshot = snapshot;
        this.records = records;
        this.lastIndex = lastIndex;
    }

    /**
     * Records of all entries after one.
     *
     * @return empty if not all of them were recorded here
     */
    public static Optional<RangeRecords> open(ServerStore store, RangeId rangeId, long afterIndex) {
        StoreSnapshot snapshot = store.snapshot();
        boolean opened = false;
        try {
            // Of several, the one that goes on for longest; after the snapshot, since what was
            // dropped meanwhile is none any more.
            Optional<RecordSpan> span =
                    store.records().spans(rangeId).stream()
                            .filter(each -> each.goesOnAfter(afterIndex))
                            .max(
                                    Comparator.comparingLong(
                                            each -> each.lastIndex().orElse(Long.MAX_VALUE)));
            if (span.isEmpty()) {
                return Optional.empty();
            }
            long last = span.get().lastIndex().orElseGet(() -> lastIndex(store, snapshot, rangeId));
            StoreCursor records = snapshot.scanRecords(rangeId, afterIndex);
            opened = true;
            return Optional.of(new RangeRecords(snapshot, records, last));
        } finally {
            if (!opened) {
                snapshot.close();
            }
        }
    }

    /** Of a range that is here no more, nothing is recorded any more either. */
    private static long lastIndex(ServerStore store, StoreSnapshot snapshot, RangeId rangeId) {
        return snapshot.get(ReplicaRows.appliedKey(rangeId))
                .map(row -> AppliedPosition.decode(row).index())
                .orElseGet(() -> store.records().lastWhole(rangeId));
    }

    /** Up to which entry the range is recorded here. */
    public long lastIndex() {
        return lastIndex;
    }

    /** Shows records of whole entries in the order of the log, once. */
    public void forEachRecord(ReplicaCopy.RowTaker taker) throws IOException {
        for (; records.valid() && isWhole(); records.next()) {
            taker.take(records.key(), records.keyLength(), records.value(), records.valueLength());
        }
    }

    /** One of which the rows hold a part has records of that part. */
    private boolean isWhole() {
        return RecordKey.index(records.key()) <= lastIndex;
    }

    @Override
    public void close() {
        records.close();
        snapshot.close();
    }
}
