package io.parterre.server.replica;

import io.parterre.range.RangeId;
import io.parterre.server.lifecycle.ReplicaPhase;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether a replica's rows are one whole copy of the range, and which: they are not while another
 * takes their place, nor after that has failed. May be asked by any thread; changed under the
 * monitor of the rows.
 */
public final class WholeCopy {
    private final RangeId rangeId;

    /** Whether a copy is being put in the place of the rows, or was and failed. */
    private volatile boolean broken;

    /** Entries up to here are in the rows, though some were not applied to them; -1: none. */
    private volatile long installedIndex = -1;

    /** How often a copy was put in the place of the rows. */
    private final AtomicLong replacements = new AtomicLong();

    public WholeCopy(RangeId rangeId) {
        this.rangeId = rangeId;
    }

    /** From here on the rows are of two copies, or of none. */
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

    /** The same, or a copy that may hold it is being put in the rows' place. */
    boolean isCopied(long index) {
        return broken || holds(index);
    }

    boolean isBroken() {
        return broken;
    }

    /**
     * Number of the copy; rows that were opened between two calls with the same answer are whole.
     * Empty while they are being replaced and once they are given up: files of theirs go at once
     * then, also from under those who read a snapshot.
     */
    public OptionalLong number(ReplicaPhase phase) {
        long copy = replacements.get();
        return broken || phase.isEnding() ? OptionalLong.empty() : OptionalLong.of(copy);
    }

    /**
     * Refuses to go on with rows that are not whole.
     *
     * @throws CancellationException if they are not; an install that failed has the node end
     */
    public void require() {
        if (broken) {
            throw new CancellationException("rows of range " + rangeId + " are being replaced");
        }
    }
}
