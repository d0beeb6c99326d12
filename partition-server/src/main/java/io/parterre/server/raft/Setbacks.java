package io.parterre.server.raft;

import io.parterre.range.RangeId;
import io.parterre.server.rows.AppliedPosition;
import java.util.Set;

/** What becomes of replicas that cannot go on by their log. Called by the threads that apply. */
interface Setbacks {
    /**
     * A replica lacks what it needs to go on.
     *
     * @return whether it may be brought as a copy
     */
    boolean needsCopy(RangeId rangeId, String why);

    /**
     * An entry cannot be applied. The replica takes part in nothing from then on, nor after another
     * start; its log and its rows stay as they are. Waits for the disk.
     *
     * @return whether that is noted; else the node has to end
     */
    boolean quarantine(RangeId rangeId, AppliedPosition entry, Throwable failure);

    /**
     * Entries of a range's log that are skipped, as an operator has decided.
     *
     * @throws java.io.UncheckedIOException if they cannot be read
     */
    Set<AppliedPosition> skipped(RangeId rangeId);
}
