package io.parterre.manager.map;

import io.parterre.key.Key;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A range that is being cut in two; a range has at most one, and no move meanwhile. Whether it has
 * come about is decided by the range's own log, once and for all: by its next generation it either
 * ends sooner, or was given others and the cut is refused from then on.
 *
 * @param childId id of the new range; no range ever had it or will have it
 * @param decidedAt generation of the range when it was begun
 * @param cut first key of the child; empty: the range's leader chooses
 * @param childLeader member that is to lead the child; empty: whoever leads the range
 * @param begun by the clock of the manager that began it, in whole milliseconds
 * @param abandoned why it is being given up, a sentence for people
 */
public record Split(
        RangeId rangeId,
        RangeId childId,
        Generation decidedAt,
        Optional<Key> cut,
        Optional<NodeId> childLeader,
        SplitReason reason,
        Instant begun,
        Optional<String> abandoned) {
    public Split {
        begun = begun.truncatedTo(ChronoUnit.MILLIS);
    }

    Split asAbandoned(String why) {
        return new Split(
                rangeId, childId, decidedAt, cut, childLeader, reason, begun, Optional.of(why));
    }

    /** Whether it is the same one, however far it has come. */
    boolean isSameAs(Split other) {
        return rangeId.equals(other.rangeId) && childId.equals(other.childId);
    }
}
