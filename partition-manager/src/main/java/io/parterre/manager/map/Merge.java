package io.parterre.manager.map;

import io.parterre.manager.reason.Reason;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Two neighbouring ranges that are being merged. No other operation of either is begun meanwhile,
 * except moves that give the right range the left one's members. The left range's own log decides
 * whether the merge takes effect: its next generation either ends where the right range ended, or
 * is another change, and then the join is refused for good. Only in that case may a right range
 * that was frozen for the merge be thawed. There is no point of no return before that. Immutable.
 *
 * @param leftId the range that is widened
 * @param rightId the range that is absorbed and then no longer exists
 * @param leftDecidedAt generation of the left range when the merge began; unchanged until the left
 *     log decides
 * @param rightDecidedAt generation of the right range when the merge began
 * @param begun by the clock of the manager that began it, in whole milliseconds
 * @param abandoned why it is being given up; empty if it is not
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

    /** Creates a merge that is not being given up. */
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

    /**
     * Returns whether both are the same merge, whatever their progress. The next merge has a later
     * left generation.
     */
    boolean isSameAs(Merge other) {
        return leftId.equals(other.leftId)
                && rightId.equals(other.rightId)
                && leftDecidedAt.equals(other.leftDecidedAt);
    }

    /**
     * Returns whether the left range's log may still accept the join. The map takes a range's
     * generation only from its leader's report, and the join is applied at one generation only. Had
     * the join been applied, the map would have learned of it instead of the other change.
     *
     * @param left generation of the left range in the map
     */
    public boolean mayTakeEffectAt(Generation left) {
        return left.compareTo(leftDecidedAt) <= 0;
    }

    /** Returns whether the range is one of the two. */
    public boolean concerns(RangeId rangeId) {
        return leftId.equals(rangeId) || rightId.equals(rangeId);
    }
}
