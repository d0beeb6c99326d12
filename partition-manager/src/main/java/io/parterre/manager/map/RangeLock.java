package io.parterre.manager.map;

import io.parterre.range.Generation;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.Optional;

/**
 * One thing at a time is done to a range, and what was decided about it as it is. Stateless; safe
 * for any thread.
 */
final class RangeLock {
    private RangeLock() {}

    /** Why nothing may be begun about the range, a sentence for people; empty: it may. */
    static Optional<String> whyNotChanged(
            ClusterMap map, RangeDescriptor range, Generation decidedAt) {
        RangeId rangeId = range.rangeId();
        if (map.merge(rangeId).isPresent()) {
            return Optional.of("range " + rangeId + " is being merged");
        }
        return whyNotMoved(map, range, decidedAt);
    }

    /**
     * The same for a move. One that serves a merge is part of it: the right range gets the members
     * of the left one.
     */
    static Optional<String> whyNot(ClusterMap map, RangeDescriptor range, Move move) {
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

    private static Optional<String> whyNotMoved(
            ClusterMap map, RangeDescriptor range, Generation decidedAt) {
        RangeId rangeId = range.rangeId();
        if (map.move(rangeId).isPresent()) {
            return Optional.of("range " + rangeId + " is being moved already");
        }
        if (map.split(rangeId).isPresent()) {
            return Optional.of("range " + rangeId + " is being split");
        }
        return range.generation().equals(decidedAt)
                ? Optional.empty()
                : Optional.of(otherGeneration(range, decidedAt));
    }

    static String otherGeneration(RangeDescriptor range, Generation decidedAt) {
        return "range "
                + range.rangeId()
                + " has generation "
                + range.generation()
                + ", not "
                + decidedAt
                + " any more";
    }
}
