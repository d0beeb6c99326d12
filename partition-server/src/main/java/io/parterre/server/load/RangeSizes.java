package io.parterre.server.load;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import java.util.Optional;

/** How the rows of a range lie; may wait for the disk. */
public interface RangeSizes {
    /** Bytes of the rows of an interval, about. */
    long bytes(KeyRange interval);

    /** Key of the first row from {@code from} on, below {@code endExclusive}; empty: none. */
    Optional<Key> firstRow(Key from, Key endExclusive);
}
