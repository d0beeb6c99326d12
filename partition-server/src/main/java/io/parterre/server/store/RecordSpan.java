package io.parterre.server.store;

import java.util.OptionalLong;

/**
 * Entries of a range that a node has recorded without a gap.
 *
 * @param afterIndex the entry before the first
 * @param lastIndex the last; empty: as far as the range is applied here, or was when it left
 */
public record RecordSpan(long afterIndex, OptionalLong lastIndex) {
    /** Whether it holds entries after this one, from the next on. */
    public boolean goesOnAfter(long index) {
        return afterIndex <= index && (lastIndex.isEmpty() || lastIndex.getAsLong() > index);
    }
}
