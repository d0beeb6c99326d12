package io.parterre.server.replica;

import io.parterre.server.apply.HostedRange;
import io.parterre.server.compare.MemberAnswer.Why;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.RowsAt;
import io.parterre.server.store.ServerStore;
import java.util.Optional;

/**
 * A request for the rows as of an entry that is still to come; one request at a time. Not
 * thread-safe: guarded by the monitor of the rows.
 */
public final class AwaitedRows {
    private final ServerStore store;
    private Optional<RowsAt> awaited = Optional.empty();

    AwaitedRows(ServerStore store) {
        this.store = store;
    }

    /** Keeps the rows once exactly the requested entry is applied, possibly at once. */
    public void await(RowsAt rowsAt, AppliedPosition written, HostedRange range) {
        if (awaited.filter(other -> !other.isSettled()).isPresent()) {
            rowsAt.miss(Why.BUSY);
            return;
        }
        awaited = Optional.of(rowsAt);
        take(written, written.index(), range);
    }

    /**
     * Keeps the rows if they are as of the requested entry, or gives the request up.
     *
     * @param index index of the entry that was applied last, or is next. Between the two may be
     *     entries of Ratis's own that are not reported; the rows before the next entry are the rows
     *     at those entries
     */
    public void take(AppliedPosition written, long index, HostedRange range) {
        if (awaited.isEmpty()) {
            return;
        }
        RowsAt rowsAt = awaited.get();
        if (written.lastTouched() > rowsAt.index()) {
            rowsAt.miss(Why.PASSED);
        } else if (written.index() == rowsAt.index() || index > rowsAt.index()) {
            rowsAt.take(store, range);
        } else {
            return;
        }
        awaited = Optional.empty();
    }

    /** Gives the request up because the rows are replaced or deleted. */
    public void miss() {
        awaited.ifPresent(rowsAt -> rowsAt.miss(Why.CHANGED));
        awaited = Optional.empty();
    }
}
