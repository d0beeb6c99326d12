package io.parterre.server.record;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;

/** One change made by a log entry; the order of several changes matters. */
public sealed interface RowChange {
    /** The row has this value. */
    record Put(Key key, byte[] value) implements RowChange {}

    /** The row does not exist. */
    record Delete(Key key) implements RowChange {}

    /** No rows exist in the interval. */
    record DeleteRange(KeyRange keys) implements RowChange {}

    /** The range ends where the child begins. The child's log continues from this entry's index. */
    record Child(RangeId childId, KeyRange keys) implements RowChange {}

    /**
     * The keys of the right neighbour belong to this range, with the rows that the neighbour had
     * when it was frozen.
     *
     * @param generation generation of the frozen neighbour
     */
    record Absorbed(RangeId rightId, Generation generation, KeyRange keys) implements RowChange {}

    /**
     * The range has this generation.
     *
     * @param frozen whether its rows stay unchanged until another generation
     */
    record Bounds(Generation generation, KeyRange keys, boolean frozen) implements RowChange {}
}
