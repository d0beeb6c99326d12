package io.parterre.chaos.fault;

import io.parterre.key.Key;
import java.util.OptionalLong;

/**
 * A split or merge that an operator has requested, and that may take effect or be undone.
 *
 * @param rangeId the range that is split, or the left one of two that are merged
 * @param rightId the range that is absorbed in a merge; otherwise empty
 * @param at where a range begins after a split, or no longer begins after a merge
 */
public record RangeChange(Kind kind, long rangeId, OptionalLong rightId, Key at) {
    /** Kinds of change. */
    public enum Kind {
        SPLIT,
        MERGE
    }
}
