package io.parterre.manager.map;

import io.parterre.manager.reason.Reason;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Two neighbouring ranges that become one; nothing else is done to either meanwhile, but for moves
 * that give the right one the left one's members. Whether it has taken effect is decided by the
 * left range's own log, once and for all: its next generation either ends where the right one
 * ended, or is another change and the join is refused from then on. Only in that case may a right
 * range that was frozen for it be thawed. There is no point of no return before that.
 *
 * @param leftId the range that is widened
 * @param rightId the range that is absorbed, and no longer exists
 * @param leftDecidedAt generation of the left range when it was begun; it stays until all is
 *     decided
 * @param rightDecidedAt generation of the right range when it was begun
 * @param begun by the clock of the manager that began it, in whole milliseconds
 * @param abandoned why it is being given up; empty: it is not
 */
public record Merge(
        RangeId leftId,
        RangeId rightId,
        Generation leftDecidedAt,
        Generation rightDecidedAt,
        MergeReason reason,
        Instant begun,
        Optional<Reason> abandoned) {
    public Merge {
        if (leftId.equals(rightId)) {
            throw new IllegalArgumentException("rightId: " + rightId + " (expected: another)");
        }
        begun = begun.truncatedTo(ChronoUnit.MILLIS);
    }

    /** One that is not being given up. */
    public Merge(
            RangeId leftId,
            RangeId rightId,
            Generation leftDecidedAt,
            Generation rightDecidedAt,
            MergeReason reason,
            Instant begun) {
        this(leftId, rightId, leftDecidedAt, rightDecidedAt, reason, begun, Optional.empty());
    }

    Merge asAbandoned(Reason why) {
        return new Merge(
                leftId, rightId, leftDecidedAt, rightDecidedAt, reason, begun, Optional.of(why));
    }

    /** Whether it is the same one, however far it has come: the next one is of a later range. */
    boolean isSameAs(Merge other) {
        return leftId.equals(other.leftId)
                && rightId.equals(other.rightId)
                && leftDecidedAt.equals(other.leftDecidedAt);
    }

    /**
     * Whether the left range's log may still take the join. The map has a generation of a range
     * from its leader's report alone, and the join is applied at one generation only; had it been,
     * the map had learned so in place of the other change.
     *
     * @param left generation of the left range in the map
     */
    public boolean mayComeAboutAt(Generation left) {
        return left.compareTo(leftDecidedAt) <= 0;
    }

    /** Whether the range is one of the two. */
    public boolean concerns(RangeId rangeId) {
        return leftId.equals(rangeId) || rightId.equals(rangeId);
    }
}
