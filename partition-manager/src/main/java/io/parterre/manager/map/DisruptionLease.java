package io.parterre.manager.map;

import io.parterre.range.NodeId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Leave for one node to be down for a while.
 *
 * @param until by the clock of the manager that gave it, in whole milliseconds
 * @param reason for people; may be empty
 */
public record DisruptionLease(NodeId nodeId, Instant until, String reason) {
    /** Characters of a reason. */
    public static final int REASON_LENGTH_MAX = 256;

    public DisruptionLease {
        if (reason.length() > REASON_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "reason: "
                            + reason.length()
                            + " characters (expected: at most "
                            + REASON_LENGTH_MAX
                            + ")");
        }
        until = until.truncatedTo(ChronoUnit.MILLIS);
    }

    /** Without a reason. */
    public DisruptionLease(NodeId nodeId, Instant until) {
        this(nodeId, until, "");
    }

    public boolean holdsAt(Instant now) {
        return now.isBefore(until);
    }
}
