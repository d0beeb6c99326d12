package io.parterre.server.record;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;

/** One thing that a log entry has changed; the order of several matters. */
public sealed interface RowChange {
    /** A row has this value. */
    record Put(Key key, byte[] value) implements RowChange {}

    /** There is no such row. */
    record Delete(Key key) implements RowChange {}

    /** There are no rows in the interval. */
    record DeleteRange(KeyRange keys) implements RowChange {}

    /** The range ends where the child begins, whose log goes on from this entry's index. */
    record Child(RangeId childId, KeyRange keys) implements RowChange {}

    /**
     * The keys of the right neighbour are this range's, with the rows that it had when it was
     * frozen.
     *
     * @param generation of the neighbour, frozen
     */
    record Absorbed(RangeId rightId, Generation generation, KeyRange keys) implements RowChange {}

    /**
     * The range has this generation.
     *
     * @param frozen whether nothing changes its rows until another generation
     */
    record Bounds(Generation generation, KeyRange keys, boolean frozen) implements RowChange {}
}
