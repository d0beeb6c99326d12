package io.parterre.server.raft;

import java.nio.ByteBuffer;

/**
 * How far a replica has applied its log. Stored as {@code version(1) term(8) index(8)}, big-endian,
 * in the same batch as the rows it covers.
 *
 * @param index of the last entry applied; -1: none
 */
public record AppliedPosition(long term, long index) {
    static final AppliedPosition NONE = new AppliedPosition(0, -1);

    /**
     * Where a range begins that is made from nothing: its log starts after this, so that nobody who
     * joins later can replay it from an empty state and a descriptor of later, but gets a copy.
     */
    static final AppliedPosition FOUNDED = ofBirth(10);

    private static final byte VERSION = 1;
    private static final int LENGTH_BYTES = 1 + 2 * Long.BYTES;

    /** Before the first entry of a log that goes on from an index. */
    static AppliedPosition ofBirth(long index) {
        return new AppliedPosition(1, index);
    }

    byte[] encode() {
        return ByteBuffer.allocate(LENGTH_BYTES).put(VERSION).putLong(term).putLong(index).array();
    }

    static AppliedPosition decode(byte[] row) {
        if (row.length != LENGTH_BYTES || row[0] != VERSION) {
            throw new IllegalArgumentException("applied row: malformed or of unknown version");
        }
        ByteBuffer in = ByteBuffer.wrap(row, 1, LENGTH_BYTES - 1);
        return new AppliedPosition(in.getLong(), in.getLong());
    }
}
