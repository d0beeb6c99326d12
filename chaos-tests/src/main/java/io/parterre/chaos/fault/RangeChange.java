package io.parterre.chaos.fault;

import io.parterre.key.Key;
import java.util.OptionalLong;

/**
 * A change of ranges that an operator has asked for, and that may take effect or be undone.
 *
 * @param rangeId the range that is cut, or the left one of two that become one
 * @param rightId the range that goes into it, if two become one
 * @param at where a range begins afterwards, if it was cut, or begins no more
 */
public record RangeChange(Kind kind, long rangeId, OptionalLong rightId, Key at) {
    /** What is asked for. */
    public enum Kind {
        SPLIT,
        MERGE
    }
}
