package io.parterre.manager.map;

import io.parterre.key.Key;
import io.parterre.manager.reason.Reason;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * A range that is being split in two or more. A range has at most one split, and no move meanwhile.
 * The range's own log decides whether the split takes effect: with its next generation the range
 * either ends sooner, or has another change, and then the split is refused for good. Immutable.
 *
 * @param childIds ids of the new ranges in key order, never used before; if there are too few split
 *     points, the last ids are never used
 * @param decidedAt generation of the range when the split began
 * @param splitPoint first key of the only child; empty if the range's leader chooses parts of about
 *     the same size, one for each child and the range
 * @param childLeader member that is to lead the first child; empty for the range's leader
 * @param begun by the clock of the manager that began it, in whole milliseconds
 * @param abandoned why it is being given up; empty if it is not
 */
public record Split(
        RangeId rangeId,
        List<RangeId> childIds,
        Generation decidedAt,
        Optional<Key> splitPoint,
        Optional<NodeId> childLeader,
        SplitReason reason,
        Instant begun,
        Optional<Reason> abandoned) {
    /** Upper bound of the parts of one split. */
    public static final int PARTS_MAX = 16;

    public Split {
        begun = begun.truncatedTo(ChronoUnit.MILLIS);
        childIds = List.copyOf(childIds);
        if (childIds.isEmpty() || childIds.size() >= PARTS_MAX) {
            throw new IllegalArgumentException(
                    "children: " + childIds + " (expected: 1.." + (PARTS_MAX - 1) + ")");
        }
    }

    /** Returns the first child, which identifies the split. */
    public RangeId childId() {
        return childIds.get(0);
    }

    Split asAbandoned(Reason why) {
        return new Split(
                rangeId,
                childIds,
                decidedAt,
                splitPoint,
                childLeader,
                reason,
                begun,
                Optional.of(why));
    }

    /** Returns whether both are the same split, whatever their progress. */
    boolean isSameAs(Split other) {
        return rangeId.equals(other.rangeId) && childIds.equals(other.childIds);
    }
}
