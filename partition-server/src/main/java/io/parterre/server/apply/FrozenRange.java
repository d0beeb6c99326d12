package io.parterre.server.apply;

import io.parterre.range.RangeDescriptor;
import java.util.List;

/**
 * A range that is frozen: what it is, and what it remembers, which nothing changes any more but its
 * being thawed. So it is the same on all replicas that have it frozen, however far their log goes
 * on.
 *
 * @param own all rows of the range's own, in any order
 */
public record FrozenRange(HostedRange range, List<OwnRow> own) {
    public FrozenRange {
        own = List.copyOf(own);
        if (!range.descriptor().isFrozen()) {
            throw new IllegalArgumentException(
                    "range: " + range.descriptor() + " (expected: frozen)");
        }
    }

    /** Other replicas beside the one that is applied to. */
    @FunctionalInterface
    public interface Neighbours {
        /** For ranges that have none. */
        Neighbours NONE =
                (right, freezeIndex) -> {
                    throw new IllegalStateException(
                            "range " + right.rangeId() + " (expected: no neighbour)");
                };

        /**
         * The neighbour that is to be absorbed. Never waits.
         *
         * @param right as it is frozen
         * @param freezeIndex it is frozen once its log is applied up to there
         * @throws NotFrozenYetException if it is not frozen so far
         */
        FrozenRange frozen(RangeDescriptor right, long freezeIndex);
    }
}
