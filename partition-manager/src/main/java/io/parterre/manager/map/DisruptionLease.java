package io.parterre.manager.map;

import io.parterre.range.NodeId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Leave for one node to be down for a while.
 *
 * @param until by the clock of the manager that gave it, in whole milliseconds
 */
public record DisruptionLease(NodeId nodeId, Instant until) {
    public DisruptionLease {
        until = until.truncatedTo(ChronoUnit.MILLIS);
    }

    public boolean holdsAt(Instant now) {
        return now.isBefore(until);
    }
}
