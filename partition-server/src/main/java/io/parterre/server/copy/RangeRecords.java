package io.parterre.server.copy;

import io.parterre.range.RangeId;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.ReplicaRows;
import io.parterre.server.store.ChangeRecords;
import io.parterre.server.store.RecordKey;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreCursor;
import io.parterre.server.store.StoreSnapshot;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Records of what entries of a range have changed, from one snapshot of the store: of a replica, or
 * what one has left that is here no more. For one thread.
 */
public final class RangeRecords implements AutoCloseable {
    private final StoreSnapshot snapshot;
    private final StoreCursor records;
    private final OptionalLong applied;

    private RangeRecords(StoreSnapshot snapshot, StoreCursor records, OptionalLong applied) {
        this.snapshot = snapshot;
        this.records = records;
        this.applied = applied;
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
            Optional<Long> floor = ChangeRecords.floor(snapshot, rangeId);
            // A snapshot does not know that too much was recorded, and entries are skipped since.
            if (floor.isEmpty() || floor.get() > afterIndex || store.records().epoch() == 0) {
                return Optional.empty();
            }
            OptionalLong applied =
                    snapshot.get(ReplicaRows.appliedKey(rangeId))
                            .map(AppliedPosition::decode)
                            .map(position -> OptionalLong.of(position.index()))
                            .orElse(OptionalLong.empty());
            StoreCursor records = snapshot.scanRecords(rangeId, afterIndex);
            opened = true;
            return Optional.of(new RangeRecords(snapshot, records, applied));
        } finally {
            if (!opened) {
                snapshot.close();
            }
        }
    }

    /** Last entry that is applied here; empty: the range is here no more. */
    public OptionalLong applied() {
        return applied;
    }

    /** Shows records of whole entries in the order of the log, once. */
    public void forEachRecord(ReplicaCopy.RowTaker taker) throws IOException {
        for (; records.valid() && isWhole(); records.next()) {
            taker.take(records.key(), records.keyLength(), records.value(), records.valueLength());
        }
    }

    /** One of which the rows hold a part has records of that part. */
    private boolean isWhole() {
        return applied.isEmpty() || RecordKey.index(records.key()) <= applied.getAsLong();
    }

    @Override
    public void close() {
        records.close();
        snapshot.close();
    }
}
