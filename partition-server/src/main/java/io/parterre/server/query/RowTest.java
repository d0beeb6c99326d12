package io.parterre.server.query;

import io.parterre.entity.ByteSink;

/** Decides about a row of a scan and copies it. Not thread-safe: one per scan. */
interface RowTest {
    /** Whether the row the source stands on is wanted. */
    boolean matches(RowSource row);

    /** Appends the row last tested to a page. */
    void copyTo(RowSource row, ByteSink page);
}
