package io.parterre.manager.map;

import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.Generation;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.Optional;

/**
 * Ensures that at most one operation changes a range, and that a decision is applied only at the
 * generation for which it was made. Stateless and thread-safe.
 */
final class RangeLock {
    private RangeLock() {}

    /** Returns why no operation of the range may be begun; empty if one may. */
    static Optional<Reason> whyNotChanged(
            ClusterMap map, RangeDescriptor range, Generation decidedAt) {
        RangeId rangeId = range.rangeId();
        if (map.merge(rangeId).isPresent()) {
            return Optional.of(ReasonCode.RANGE_IS_MERGED.of(rangeId));
        }
        return whyNotMoved(map, range, decidedAt);
    }

    /**
     * Returns the same for a move. A move for a merge is part of it: the right range gets the
     * members of the left one.
     */
    static Optional<Reason> whyNot(ClusterMap map, RangeDescriptor range, Move move) {
        boolean serves =
                move.reason() == MoveReason.MERGE
                        && map.merge(range.rangeId())
                                .filter(merge -> merge.rightId().equals(range.rangeId()))
                                .filter(merge -> merge.abandoned().isEmpty())
                                .isPresent();
        return serves
                ? whyNotMoved(map, range, move.decidedAt())
                : whyNotChanged(map, range, move.decidedAt());
    }

    private static Optional<Reason> whyNotMoved(
            ClusterMap map, RangeDescriptor range, Generation decidedAt) {
        RangeId rangeId = range.rangeId();
        if (map.move(rangeId).isPresent()) {
            return Optional.of(ReasonCode.RANGE_IS_MOVED_ALREADY.of(rangeId));
        }
        if (map.split(rangeId).isPresent()) {
            return Optional.of(ReasonCode.RANGE_IS_SPLIT.of(rangeId));
        }
        if (map.recovery(rangeId).isPresent()) {
            return Optional.of(ReasonCode.RANGE_IS_RECOVERED.of(rangeId));
        }
        return range.generation().equals(decidedAt)
                ? Optional.empty()
                : Optional.of(otherGeneration(range, decidedAt));
    }

    /**
     * Returns the same for a recovery. A recovery overrides every operation but one: while the left
     * neighbour's log may absorb the range, that log decides which range has the keys.
     */
    static Optional<Reason> whyNotRecovered(
            ClusterMap map, RangeDescriptor range, Generation decidedAt) {
        Optional<RangeId> claims =
                map.merge(range.rangeId())
                        .filter(merge -> merge.rightId().equals(range.rangeId()))
                        .map(Merge::leftId)
                        .filter(leftId -> mayAbsorb(map, leftId));
        if (claims.isPresent()) {
            return Optional.of(ReasonCode.RANGE_IS_CLAIMED.of(claims.get(), range.rangeId()));
        }
        return range.generation().equals(decidedAt)
                ? Optional.empty()
                : Optional.of(otherGeneration(range, decidedAt));
    }

    private static boolean mayAbsorb(ClusterMap map, RangeId leftId) {
        Generation now = map.ranges().find(leftId).orElseThrow().generation();
        return map.merge(leftId).filter(merge -> merge.mayTakeEffectAt(now)).isPresent();
    }

    static Reason otherGeneration(RangeDescriptor range, Generation decidedAt) {
        return ReasonCode.GENERATION_CHANGED.of(range.rangeId(), range.generation(), decidedAt);
    }
}
