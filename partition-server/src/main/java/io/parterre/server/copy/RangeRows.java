package io.parterre.server.copy;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.FreeKeys;
import io.parterre.server.rows.StoredReplica;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreCursor;
import io.parterre.server.store.StoreSnapshot;
import java.io.IOException;
import java.util.Optional;

/**
 * Rows of a part of a range at one moment, for a backup, with their log position, from one snapshot
 * of the store. Confined to one thread.
 */
public final class RangeRows implements AutoCloseable {
    private final StoreSnapshot snapshot;
    private final StoreCursor rows;
    private final HostedRange range;
    private final AppliedPosition applied;
    private final long logTimeTicks;

    private RangeRows(
            StoreSnapshot snapshot,
            StoreCursor rows,
            HostedRange range,
            AppliedPosition applied,
            long logTimeTicks) {
        this.logTimeTicks = logTimeTicks;
        this.snapshot = snapshot;
        this.rows = rows;
        this.range = range;
        this.applied = applied;
    }

    /**
     * Opens the current rows from a key on.
     *
     * @param endExclusive end of the rows, unless the range ends before
     * @return empty if the range does not have the key
     * @throws IOException if the range is not here, or nothing was applied yet
     */
    public static Optional<RangeRows> open(
            ServerStore store, RangeId rangeId, Key start, Key endExclusive) throws IOException {
        StoreSnapshot snapshot = store.snapshot();
        boolean opened = false;
        try {
            HostedRange range = StoredReplica.range(snapshot, rangeId);
            AppliedPosition applied = StoredReplica.applied(snapshot, rangeId);
            KeyRange bounds = range.descriptor().bounds();
            if (!bounds.contains(start)) {
                return Optional.empty();
            }
            KeyRange asked = new KeyRange(start, endExclusive).intersection(bounds);
            // Opened at once, because a snapshot does not keep files that the replica drops when it
            // is discarded.
            StoreCursor rows = snapshot.scan(FreeKeys.data(asked));
            opened = true;
            return Optional.of(
                    new RangeRows(
                            snapshot,
                            rows,
                            range,
                            applied,
                            StoredReplica.logTimeTicks(snapshot, rangeId)));
        } finally {
            if (!opened) {
                snapshot.close();
            }
        }
    }

    public HostedRange range() {
        return range;
    }

    public AppliedPosition applied() {
        return applied;
    }

    /** Returns the range's log time at that position. */
    public long logTimeTicks() {
        return logTimeTicks;
    }

    /** Passes all rows in key order, once. */
    public void forEachRow(ReplicaCopy.RowTaker taker) throws IOException {
        for (; rows.valid(); rows.next()) {
            taker.take(rows.key(), rows.keyLength(), rows.value(), rows.valueLength());
        }
    }

    @Override
    public void close() {
        rows.close();
        snapshot.close();
    }
}
