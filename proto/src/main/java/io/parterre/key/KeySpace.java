package io.parterre.key;

/**
 * The top-level parts of the key space. The tag is the first byte of every key and never changes.
 */
public enum KeySpace {
    /** Tables, queues and containers of accounts. */
    DIRECTORY(0x01),
    ENTITY(0x02),
    QUEUE_MESSAGE(0x03),
    BLOB(0x04);

    private final byte tag;

    KeySpace(int tag) {
        this.tag = (byte) tag;
    }

    public byte tag() {
        return tag;
    }

    /** Returns whether some key space has this tag. */
    static boolean isTag(byte tag) {
        for (KeySpace space : values()) {
            if (space.tag == tag) {
                return true;
            }
        }
        return false;
    }

    /**
     * The space with this tag.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static KeySpace ofTag(byte tag) {
        for (KeySpace space : values()) {
            if (space.tag == tag) {
                return space;
            }
        }
        throw new IllegalArgumentException("tag: " + tag + " (expected: 1..4)");
    }
}
