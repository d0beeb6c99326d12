package io.parterre.server.query;

import io.parterre.entity.ByteSink;

/** Tests a row of a scan and copies it. Not thread-safe: one per scan. */
interface RowTest {
    /** Returns whether the source's current row matches. */
    boolean matches(RowSource row);

    /** Appends the row last tested to a page. */
    void copyTo(RowSource row, ByteSink page);
}
