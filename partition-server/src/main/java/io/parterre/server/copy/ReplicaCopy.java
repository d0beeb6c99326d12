package io.parterre.server.copy;

import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.FreeKeys;
import io.parterre.server.rows.StoredReplica;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreCursor;
import io.parterre.server.store.StoreSnapshot;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * A replica at one moment, to be sent to another node: rows, the range's own state, and their log
 * position, all from one snapshot of the store. Confined to one thread.
 */
public final class ReplicaCopy implements AutoCloseable {
    private final StoreSnapshot snapshot;
    private final StoreCursor own;
    private final StoreCursor data;
    private final HostedRange range;
    private final AppliedPosition applied;
    private final Consumer<AppliedPosition> onClose;

    private ReplicaCopy(
            StoreSnapshot snapshot,
            StoreCursor own,
            StoreCursor data,
            HostedRange range,
            AppliedPosition applied,
            Consumer<AppliedPosition> onClose) {
        this.snapshot = snapshot;
        this.own = own;
        this.data = data;
        this.range = range;
        this.applied = applied;
        this.onClose = onClose;
    }

    /**
     * Opens a copy of the current state.
     *
     * @param onClose receives the copy's log position when it is closed
     * @throws IOException if nothing was applied yet
     */
    public static ReplicaCopy open(
            ServerStore store, RangeId rangeId, Consumer<AppliedPosition> onClose)
            throws IOException {
        StoreSnapshot snapshot = store.snapshot();
        try {
            HostedRange range = StoredReplica.range(snapshot, rangeId);
            AppliedPosition applied = StoredReplica.applied(snapshot, rangeId);
            // Opened at once, because a snapshot does not keep files that the replica drops when it
            // is discarded.
            StoreCursor own = snapshot.scanLocal(rangeId);
            try {
                StoreCursor data = snapshot.scan(FreeKeys.data(range.descriptor().bounds()));
                return new ReplicaCopy(snapshot, own, data, range, applied, onClose);
            } catch (RuntimeException failure) {
                own.close();
                throw failure;
            }
        } catch (IOException | RuntimeException failure) {
            snapshot.close();
            throw failure;
        }
    }

    public HostedRange range() {
        return range;
    }

    public AppliedPosition applied() {
        return applied;
    }

    /** Takes one row; the arrays are reused. */
    @FunctionalInterface
    public interface RowTaker {
        void take(byte[] key, int keyLength, byte[] value, int valueLength) throws IOException;
    }

    /**
     * Passes all rows in key order, once: the range's own state, then its data. State of this
     * replica alone is left out.
     */
    public void forEachRow(RowTaker taker) throws IOException {
        for (; own.valid(); own.next()) {
            if (StoredReplica.isOfRange(own.key())) {
                taker.take(own.key(), own.keyLength(), own.value(), own.valueLength());
            }
        }
        for (; data.valid(); data.next()) {
            taker.take(data.key(), data.keyLength(), data.value(), data.valueLength());
        }
    }

    @Override
    public void close() {
        own.close();
        data.close();
        snapshot.close();
        onClose.accept(applied);
    }
}
