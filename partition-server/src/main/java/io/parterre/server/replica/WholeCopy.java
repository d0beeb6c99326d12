package io.parterre.server.replica;

import io.parterre.range.RangeId;
import io.parterre.server.lifecycle.ReplicaPhase;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether a replica's rows are one whole copy of the range, and which. They are not while a copy
 * replaces them, nor after that has failed. May be asked by any thread; changed under the monitor
 * of the rows.
 */
public final class WholeCopy {
    private final RangeId rangeId;

    /** Whether a copy is replacing the rows, or has failed to. */
    private volatile boolean broken;

    /**
     * Entries up to here are in the rows by a copy, though some were not applied to them; -1 if
     * none.
     */
    private volatile long installedIndex = -1;

    /** Number of times that a copy has replaced the rows. */
    private final AtomicLong replacements = new AtomicLong();

    public WholeCopy(RangeId rangeId) {
        this.rangeId = rangeId;
    }

    /** From here on the rows are a mixture of two copies, or none. */
    public void replacing() {
        broken = true;
        replacements.incrementAndGet();
    }

    /**
     * From here on the rows are those of a copy, with the effect of all entries up to the index.
     */
    public void replaced(long index) {
        // In this order, see isCopied.
        installedIndex = index;
        broken = false;
    }

    /** Whether the entry is in the rows by a copy. */
    boolean holds(long index) {
        return index <= installedIndex;
    }

    /**
     * Whether the entry is in the rows by a copy, or a copy that may hold it is replacing the rows.
     */
    boolean isCopied(long index) {
        return broken || holds(index);
    }

    boolean isBroken() {
        return broken;
    }

    /**
     * Number of the copy. Rows opened between two calls with the same answer are whole. Empty while
     * the rows are being replaced and once they are given up: their files are then deleted at once,
     * even while a reader uses a snapshot of them.
     */
    public OptionalLong number(ReplicaPhase phase) {
        long copy = replacements.get();
        return broken || phase.isEnding() ? OptionalLong.empty() : OptionalLong.of(copy);
    }

    /**
     * Refuses to continue with rows that are not whole.
     *
     * @throws CancellationException if the rows are not whole; an installation that failed ends the
     *     node
     */
    public void require() {
        if (broken) {
            throw new CancellationException("rows of range " + rangeId + " are being replaced");
        }
    }
}
