package io.parterre.server.load;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import java.util.Optional;

/** Sizes and positions of a range's rows; may wait for the disk. */
public interface RangeSizes {
    /** Returns the approximate bytes of an interval's rows. */
    long bytes(KeyRange interval);

    /**
     * Returns the key of the first row from {@code from} on, below {@code endExclusive}; empty:
     * there is none.
     */
    Optional<Key> firstRow(Key from, Key endExclusive);
}
