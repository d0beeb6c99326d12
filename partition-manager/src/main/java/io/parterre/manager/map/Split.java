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
 * A range that is being split in two, or more; a range has at most one, and no move meanwhile.
 * Whether it has taken effect is decided by the range's own log, once and for all: by its next
 * generation it either ends sooner, or was given others and the split is refused from then on.
 *
 * @param childIds ids of the new ranges in the order of their keys; no range ever had them, and if
 *     there are too few places to split, none will ever have the last ones
 * @param decidedAt generation of the range when it was begun
 * @param splitPoint first key of the only child; empty: the range's leader chooses, for as many
 *     parts of about as many bytes as there are children and the range
 * @param childLeader member that is to lead the first child; empty: the leader of the range
 * @param begun by the clock of the manager that began it, in whole milliseconds
 * @param abandoned why it is being given up; empty: it is not
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
    /** So many ranges one becomes at most. */
    public static final int PARTS_MAX = 16;

    public Split {
        begun = begun.truncatedTo(ChronoUnit.MILLIS);
        childIds = List.copyOf(childIds);
        if (childIds.isEmpty() || childIds.size() >= PARTS_MAX) {
            throw new IllegalArgumentException(
                    "children: " + childIds + " (expected: 1.." + (PARTS_MAX - 1) + ")");
        }
    }

    /** The first of its children, which names it. */
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

    /** Whether it is the same one, however far it has come. */
    boolean isSameAs(Split other) {
        return rangeId.equals(other.rangeId) && childIds.equals(other.childIds);
    }
}
