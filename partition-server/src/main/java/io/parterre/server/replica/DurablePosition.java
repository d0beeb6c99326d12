package io.parterre.server.replica;

import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.ReplicaRows;
import java.util.concurrent.atomic.AtomicReference;

/** The position to which a crash would have a replica fall back. Safe for any thread. */
public final class DurablePosition {
    private final ReplicaRows rows;
    private final AtomicReference<AppliedPosition> known;

    DurablePosition(ReplicaRows rows) {
        this.rows = rows;
        this.known = new AtomicReference<>(rows.durablyApplied());
    }

    public AppliedPosition get() {
        return known.get();
    }

    /** Notes that a copy that ends at the position is on disk. */
    void copied(AppliedPosition position) {
        known.set(position);
    }

    /** Looks up the position of the store's last flush. Never waits for a copy. */
    void refresh() {
        AppliedPosition found = rows.durablyApplied();
        // The position only grows: a lower one may have been read before a copy or while it was
        // installed.
        known.accumulateAndGet(found, (held, read) -> read.index() > held.index() ? read : held);
    }
}
