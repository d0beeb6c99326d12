package io.parterre.server.copy;

import io.parterre.range.RangeId;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.StoredReplica;
import io.parterre.server.store.RecordKey;
import io.parterre.server.store.RecordSpan;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreCursor;
import io.parterre.server.store.StoreSnapshot;
import java.io.IOException;
import java.util.Comparator;
import java.util.Optional;

/**
 * Change records of a range's entries, from one snapshot of the store. They belong to a replica
 * here, or to one that has left. Confined to one thread.
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
     * Opens the records of all later entries.
     *
     * @return empty if not all of these entries were recorded here
     */
    public static Optional<RangeRecords> open(ServerStore store, RangeId rangeId, long afterIndex) {
        StoreSnapshot snapshot = store.snapshot();
        boolean opened = false;
        try {
            // Of several spans, the one that reaches furthest. Read after the snapshot, so that a
            // span dropped meanwhile does not count.
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

    /** A range that has left has no applied position; its recording has ended too. */
    private static long lastIndex(ServerStore store, StoreSnapshot snapshot, RangeId rangeId) {
        return snapshot.get(StoredReplica.appliedKey(rangeId))
                .map(row -> AppliedPosition.decode(row).index())
                .orElseGet(() -> store.records().lastWhole(rangeId));
    }

    /** Returns the entry up to which the range is recorded here. */
    public long lastIndex() {
        return lastIndex;
    }

    /** Passes records of whole entries in the order of the log, once. */
    public void forEachRecord(ReplicaCopy.RowTaker taker) throws IOException {
        for (; records.valid() && isWhole(); records.next()) {
            taker.take(records.key(), records.keyLength(), records.value(), records.valueLength());
        }
    }

    /** The rows may contain a part of a later entry, which has records of that part. */
    private boolean isWhole() {
        return RecordKey.index(records.key()) <= lastIndex;
    }

    @Override
    public void close() {
        records.close();
        snapshot.close();
    }
}
