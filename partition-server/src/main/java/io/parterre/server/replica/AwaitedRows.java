package io.parterre.server.replica;

import io.parterre.server.apply.HostedRange;
import io.parterre.server.compare.MemberAnswer.Why;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.RowsAt;
import io.parterre.server.store.ServerStore;
import java.util.Optional;

/**
 * Who waits for the rows as of an entry to come; one at a time. Not thread-safe: guarded by the
 * monitor of the rows.
 */
public final class AwaitedRows {
    private final ServerStore store;
    private Optional<RowsAt> awaited = Optional.empty();

    AwaitedRows(ServerStore store) {
        this.store = store;
    }

    /** Keeps the rows once exactly that entry is applied, which may be so already. */
    public void await(RowsAt rowsAt, AppliedPosition written, HostedRange range) {
        if (awaited.filter(other -> !other.isSettled()).isPresent()) {
            rowsAt.miss(Why.BUSY);
            return;
        }
        awaited = Optional.of(rowsAt);
        take(written, written.index(), range);
    }

    /**
     * Keeps what is waited for, or gives it up.
     *
     * @param index of the entry that was applied last, or is next: some of Ratis's own come between
     *     that nobody is told of, and what is there before the next is there at those
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

    /** The rows are others from now on. */
    public void miss() {
        awaited.ifPresent(rowsAt -> rowsAt.miss(Why.CHANGED));
        awaited = Optional.empty();
    }
}
