package io.parterre.server.apply;

import io.parterre.range.RangeDescriptor;
import java.util.List;

/**
 * A frozen range with its own rows. Only a thaw changes a frozen range. So it is the same on all
 * replicas on which it is frozen, no matter how far their logs are applied beyond the freeze.
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

    /** Other replicas on the same node, beside the replica to which an entry is applied. */
    @FunctionalInterface
    public interface Neighbours {
        /** For ranges without neighbours. */
        Neighbours NONE =
                (right, freezeIndex) -> {
                    throw new IllegalStateException(
                            "range " + right.rangeId() + " (expected: no neighbour)");
                };

        /**
         * Returns the neighbour that is to be absorbed. Never waits.
         *
         * @param right descriptor of the neighbour once it is frozen
         * @param freezeIndex log index of the neighbour's freeze: it is frozen once its log is
         *     applied up to there
         * @throws NotFrozenYetException if the neighbour is not frozen yet
         */
        FrozenRange frozen(RangeDescriptor right, long freezeIndex);
    }
}
