package io.parterre.server.quarantine;

import io.parterre.server.rows.AppliedPosition;
import java.util.Optional;
import java.util.Set;

/**
 * A replica's state with respect to entries that could not be applied.
 *
 * @param mark reason for the quarantine; empty if the replica is not quarantined
 * @param damaged whether the replica is out of its group for another reason, and has to be rebuilt
 * @param appliedIndex last entry that is applied as a whole; -1 if none
 * @param touchedIndex last entry that has changed the rows
 * @param skipped entries that have no effect on the replica, or will have none once it is resumed
 * @param release release of this node's process
 * @param refusal reason why a request was refused; empty if it was not, or nothing was requested
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
