package io.parterre.server.store;

import java.util.OptionalLong;

/**
 * Entries of a range that a node has recorded without a gap. Immutable.
 *
 * @param afterIndex entry before the first one
 * @param lastIndex last entry; empty: the last entry applied here, also if the replica has left
 */
public record RecordSpan(long afterIndex, OptionalLong lastIndex) {
    /** Returns whether the span contains the next entry after this one. */
    public boolean goesOnAfter(long index) {
        return afterIndex <= index && (lastIndex.isEmpty() || lastIndex.getAsLong() > index);
    }
}
