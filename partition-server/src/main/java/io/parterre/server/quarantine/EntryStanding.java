package io.parterre.server.quarantine;

import io.parterre.server.rows.AppliedPosition;
import java.util.Optional;
import java.util.Set;

/**
 * How a replica stands to entries that could not be applied.
 *
 * @param mark why it is quarantined; empty: it is not
 * @param damaged whether it takes no part for another reason, and has to be rebuilt
 * @param appliedIndex last entry that is applied as a whole; -1: none
 * @param touchedIndex last entry that has left something in the rows
 * @param skipped entries that have no effect on it, or will have none once it is resumed
 * @param release of this node's process
 * @param refusal why nothing was done; empty: it was, or nothing was asked for
 */
public record EntryStanding(
        Optional<QuarantineMark> mark,
        boolean damaged,
        long appliedIndex,
        long touchedIndex,
        Set<AppliedPosition> skipped,
        String release,
        String refusal) {
    public EntryStanding refused(String why) {
        return new EntryStanding(mark, damaged, appliedIndex, touchedIndex, skipped, release, why);
    }
}
