package io.parterre.server.rows;

import java.nio.ByteBuffer;

/**
 * How far a replica has applied its log. Stored in the same batch as the rows that it covers,
 * big-endian:
 *
 * <pre>
 * version 1 = version(1) term(8) index(8)                 no command of the next entry is applied
 * version 2 = version(1) term(8) index(8) commands(4)     some are
 * </pre>
 *
 * <p>An entry is applied in slices, so only a crash in the middle of an entry leaves the second
 * form. A release that knows nothing of slices can read everything else.
 *
 * @param index last entry that is applied as a whole; -1 if none
 * @param commands number of commands of the next entry that are applied, from its first on
 */
public record AppliedPosition(long term, long index, int commands) {
    public static final AppliedPosition NONE = new AppliedPosition(0, -1);

    /**
     * Position of a range that is created from nothing. Its log starts after this position, so that
     * a member that joins later gets a copy, and cannot replay the log from an empty state and a
     * later descriptor.
     */
    public static final AppliedPosition FOUNDED = ofFounding(10);

    private static final byte WHOLE = 1;
    private static final byte BEGUN = 2;
    private static final int WHOLE_BYTES = 1 + 2 * Long.BYTES;
    private static final int BEGUN_BYTES = WHOLE_BYTES + Integer.BYTES;

    public AppliedPosition {
        if (commands < 0) {
            throw new IllegalArgumentException("commands: " + commands + " (expected: >= 0)");
        }
    }

    /** Creates a position between two entries. */
    public AppliedPosition(long term, long index) {
        this(term, index, 0);
    }

    /** Returns the position before the first entry of a log that continues from an index. */
    public static AppliedPosition ofFounding(long index) {
        return new AppliedPosition(1, index);
    }

    /** Returns the position with another number of applied commands of the next entry. */
    public AppliedPosition begun(int newCommands) {
        return new AppliedPosition(term, index, newCommands);
    }

    /** Returns the last entry that has changed the rows. */
    public long lastTouched() {
        return commands > 0 ? index + 1 : index;
    }

    /**
     * Requires that an entry begun in part is the given one, so that commands of one entry are
     * never taken for those of another.
     *
     * @throws IllegalStateException if another entry is begun
     */
    public void requireNext(long nextIndex) {
        if (commands > 0 && nextIndex != index + 1) {
            throw new IllegalStateException(
                    "entry: " + nextIndex + " (expected: the one begun after " + this + ")");
        }
    }

    /**
     * Requires that no entry is begun in part, so that an entry with commands is never taken for
     * one of Raft's own.
     *
     * @throws IllegalStateException if an entry is begun
     */
    public void requireWhole() {
        if (commands > 0) {
            throw new IllegalStateException(
                    "entry: without commands (expected: the one begun after " + this + ")");
        }
    }

    public byte[] encode() {
        return commands == 0
                ? ByteBuffer.allocate(WHOLE_BYTES).put(WHOLE).putLong(term).putLong(index).array()
                : ByteBuffer.allocate(BEGUN_BYTES)
                        .put(BEGUN)
                        .putLong(term)
                        .putLong(index)
                        .putInt(commands)
                        .array();
    }

    public static AppliedPosition decode(byte[] row) {
        boolean whole = row.length == WHOLE_BYTES && row[0] == WHOLE;
        boolean begun = row.length == BEGUN_BYTES && row[0] == BEGUN;
        if (!whole && !begun) {
            throw new IllegalArgumentException("applied row: malformed or of unknown version");
        }
        ByteBuffer in = ByteBuffer.wrap(row, 1, row.length - 1);
        return new AppliedPosition(in.getLong(), in.getLong(), begun ? in.getInt() : 0);
    }
}
