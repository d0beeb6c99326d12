package io.parterre.manager.map;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A range that lost its majority for good and goes on as another one, with another Raft group, from
 * what one node holds. Recording it is the point of no return: from then on the map knows the lost
 * range no more, so that every node that still holds it gives it up. What is to be done next
 * follows from the survivor's reports, so that any manager can go on with it.
 *
 * @param rangeId the range as it goes on
 * @param lostId the range that the survivor holds a replica of
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
