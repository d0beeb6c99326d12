package io.parterre.server.query;

/**
 * Rows in key order, read in place: the arrays are reused, and only their first bytes count, until
 * {@link #next} is called. Not thread-safe.
 */
public interface RowSource {
    /** Whether it stands on a row; false after the last. */
    boolean valid();

    void next();

    byte[] key();

    int keyLength();

    byte[] value();

    int valueLength();
}
