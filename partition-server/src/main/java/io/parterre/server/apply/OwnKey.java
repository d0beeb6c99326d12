package io.parterre.server.apply;

import io.parterre.key.Key;
import java.nio.ByteBuffer;

/**
 * Names a row of the range's own: what it has to remember besides the data it keeps.
 *
 * @param suffix tells rows of one kind apart
 */
public record OwnKey(Kind kind, Key suffix) {
    /** What a row is for. Tags are on disk and never change. */
    public enum Kind {
        /** The range's last timestamp and time. */
        CLOCK('C'),
        /** A fenced scope. */
        FENCE('F'),
        /** Outcomes of one log entry. */
        OUTCOMES('O'),
        /** What is settled of one sender. */
        SENDER('S');

        private final byte tag;

        Kind(char tag) {
            this.tag = (byte) tag;
        }

        public byte tag() {
            return tag;
        }
    }

    /** Of the range's last timestamp and time. */
    public static final OwnKey CLOCK = new OwnKey(Kind.CLOCK, Key.FIRST);

    static OwnKey ofNumber(Kind kind, long number) {
        return new OwnKey(kind, Key.wrap(ByteBuffer.allocate(Long.BYTES).putLong(number).array()));
    }

    long number() {
        return ByteBuffer.wrap(suffix.unsafeBytes()).getLong();
    }
}
