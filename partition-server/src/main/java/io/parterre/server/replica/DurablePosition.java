package io.parterre.server.replica;

import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.ReplicaRows;
import java.util.concurrent.atomic.AtomicReference;

/** Where a crash would have a replica fall back to. Safe for any thread. */
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

    /** A copy that ends there is on disk. */
    void copied(AppliedPosition position) {
        known.set(position);
    }

    /** Looks up how far the last flush of the store has come. Never waits for a copy. */
    void refresh() {
        AppliedPosition found = rows.durablyApplied();
        // It only grows: what is found less may be from before a copy, or from the midst of one.
        known.accumulateAndGet(found, (held, read) -> read.index() > held.index() ? read : held);
    }
}
