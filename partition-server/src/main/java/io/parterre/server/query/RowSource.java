package io.parterre.server.query;

/**
 * Rows in key order, read in place. The arrays are reused: only their first bytes count, until
 * {@link #next} is called. Not thread-safe.
 */
public interface RowSource {
    /** Returns whether the source is at a row; false after the last row. */
    boolean valid();

    void next();

    byte[] key();

    int keyLength();

    byte[] value();

    int valueLength();
}
