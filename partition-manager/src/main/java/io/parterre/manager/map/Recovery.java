package io.parterre.manager.map;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A range that lost its majority for good and goes on as another range, with another Raft group,
 * from one node's replica. Its record is the point of no return: from then on the lost range is
 * gone from the map, so every node removes its replica of it. The next step follows from the
 * survivor's reports, so any manager can continue it. Immutable.
 *
 * @param rangeId the successor
 * @param lostId the range of which the survivor holds a replica
 * @param begun by the clock of the manager that began it, in whole milliseconds
 */
public record Recovery(RangeId rangeId, RangeId lostId, NodeId survivor, Instant begun) {
    public Recovery {
        begun = begun.truncatedTo(ChronoUnit.MILLIS);
        if (rangeId.equals(lostId)) {
            throw new IllegalArgumentException(
                    "rangeId: " + rangeId + " (expected: another one than the lost range's)");
        }
    }
}
