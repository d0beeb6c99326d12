package io.parterre.server.rows;

import java.nio.ByteBuffer;

/**
 * How far a replica has applied its log. Stored in the same batch as the rows it covers,
 * big-endian:
 *
 * <pre>
 * version 1 = version(1) term(8) index(8)                 no command of the next entry is applied
 * version 2 = version(1) term(8) index(8) commands(4)     some are
 * </pre>
 *
 * <p>An entry is applied in slices, so only a crash in the midst of one leaves the second form; all
 * else a release can read that knows nothing of it.
 *
 * @param index of the last entry that is applied as a whole; -1: none
 * @param commands of the entry after it that are applied, from its first on
 */
public record AppliedPosition(long term, long index, int commands) {
    public static final AppliedPosition NONE = new AppliedPosition(0, -1);

    /**
     * Where a range begins that is made from nothing: its log starts after this, so that nobody who
     * joins later can replay it from an empty state and a descriptor of later, but gets a copy.
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

    /** Between two entries. */
    public AppliedPosition(long term, long index) {
        this(term, index, 0);
    }

    /** Before the first entry of a log that goes on from an index. */
    public static AppliedPosition ofFounding(long index) {
        return new AppliedPosition(1, index);
    }

    /** With other commands of the next entry. */
    public AppliedPosition begun(int newCommands) {
        return new AppliedPosition(term, index, newCommands);
    }

    /** The last entry that has left something in the rows. */
    public long lastTouched() {
        return commands > 0 ? index + 1 : index;
    }

    /**
     * Commands of one entry are never taken for those of another.
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
     * An entry with commands is never taken for one of Raft's own.
     *
     * @throws IllegalStateException if one is begun
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
