package io.parterre.server.apply;

import io.parterre.key.Key;
import java.nio.ByteBuffer;

/**
 * Key of a row of the range's own: of state besides the data that the range keeps.
 *
 * @param suffix distinguishes rows of one kind
 */
public record OwnKey(Kind kind, Key suffix) {
    /** Kind of an own row. Tags are on disk and never change. */
    public enum Kind {
        /** The range's last timestamp and log time. */
        CLOCK('C'),
        /** A fenced scope. */
        FENCE('F'),
        /** Outcomes of one log entry. */
        OUTCOMES('O'),
        /** The floor of one sender and when it was last heard of. */
        SENDER('S');

        private final byte tag;

        Kind(char tag) {
            this.tag = (byte) tag;
        }

        public byte tag() {
            return tag;
        }
    }

    /** Key of the range's last timestamp and log time. */
    public static final OwnKey CLOCK = new OwnKey(Kind.CLOCK, Key.FIRST);

    static OwnKey ofNumber(Kind kind, long number) {
        return new OwnKey(kind, Key.wrap(ByteBuffer.allocate(Long.BYTES).putLong(number).array()));
    }

    long number() {
        return ByteBuffer.wrap(suffix.unsafeBytes()).getLong();
    }
}
