package io.parterre.key;

/**
 * Strings as key bytes: order-preserving and prefix-free. Stateless; safe for any thread.
 *
 * <p>The order is that of UTF-16 code units, as the service sorts keys (.NET ordinal). Every code
 * unit is therefore written on its own in the one to three bytes that UTF-8 would give it,
 * surrogates included. Plain UTF-8 would sort supplementary characters after U+E000..U+FFFF. A NUL
 * is escaped as {@code 00 FF} and the string ends with {@code 00 01}, which sorts before any
 * continuation. Source: docs/protocol.md 4.6.
 */
public final class KeyText {
    private static final int ESCAPE = 0x00;
    private static final int ESCAPED_NUL = 0xFF;
    private static final int TERMINATOR = 0x01;

    private KeyText() {}

    /** The encoded form of {@code text}, terminator included. */
    public static byte[] encode(String text) {
        int length = encodedLength(text);
        byte[] out = new byte[length];
        encode(text, out, 0);
        return out;
    }

    static int encodedLength(String text) {
        int length = 2;
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (unit == 0) {
                length += 2;
            } else if (unit < 0x80) {
                length += 1;
            } else if (unit < 0x800) {
                length += 2;
            } else {
                length += 3;
            }
        }
        return length;
    }

    /** Writes the encoded form at {@code offset} and returns the offset after it. */
    static int encode(String text, byte[] out, int offset) {
        int at = offset;
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (unit == 0) {
                out[at++] = ESCAPE;
                out[at++] = (byte) ESCAPED_NUL;
            } else if (unit < 0x80) {
                out[at++] = (byte) unit;
            } else if (unit < 0x800) {
                out[at++] = (byte) (0xC0 | (unit >> 6));
                out[at++] = (byte) (0x80 | (unit & 0x3F));
            } else {
                out[at++] = (byte) (0xE0 | (unit >> 12));
                out[at++] = (byte) (0x80 | ((unit >> 6) & 0x3F));
                out[at++] = (byte) (0x80 | (unit & 0x3F));
            }
        }
        out[at++] = ESCAPE;
        out[at++] = TERMINATOR;
        return at;
    }

    /**
     * Offset just after the string that starts at {@code offset}.
     *
     * @throws IllegalArgumentException if the bytes end before the string does
     */
    public static int skip(byte[] bytes, int offset) {
        for (int at = offset; at + 1 < bytes.length; at++) {
            if (bytes[at] == ESCAPE) {
                if (bytes[at + 1] == TERMINATOR) {
                    return at + 2;
                }
                at++;
            }
        }
        throw new IllegalArgumentException("key text at " + offset + ": no terminator");
    }

    /**
     * The string encoded in {@code [from, to)}, terminator included.
     *
     * @throws IllegalArgumentException if the bytes are no such string
     */
    static String decode(byte[] bytes, int from, int to) {
        int end = to - 2;
        StringBuilder text = new StringBuilder(Math.max(0, end - from));
        int at = from;
        while (at < end) {
            int first = bytes[at] & 0xFF;
            if (first == ESCAPE) {
                if (at + 1 >= end || (bytes[at + 1] & 0xFF) != ESCAPED_NUL) {
                    throw malformed(at);
                }
                text.append('\0');
                at += 2;
            } else if (first < 0x80) {
                text.append((char) first);
                at += 1;
            } else if (first >= 0xC2 && first < 0xE0 && at + 1 < end) {
                text.append((char) ((first & 0x1F) << 6 | continuation(bytes, at + 1)));
                at += 2;
            } else if (first >= 0xE0 && first < 0xF0 && at + 2 < end) {
                int high = ((first & 0x0F) << 6) | continuation(bytes, at + 1);
                if (high < 0x20) {
                    throw malformed(at); // Fits in two bytes: not a form that encode writes.
                }
                text.append((char) ((high << 6) | continuation(bytes, at + 2)));
                at += 3;
            } else {
                throw malformed(at);
            }
        }
        if (at != end || bytes[end] != ESCAPE || bytes[end + 1] != TERMINATOR) {
            throw malformed(end);
        }
        return text.toString();
    }

    /** The string whose encoded form, terminator included, is {@code encoded}. */
    public static String decode(byte[] encoded) {
        if (encoded.length < 2) {
            throw malformed(0);
        }
        return decode(encoded, 0, encoded.length);
    }

    private static int continuation(byte[] bytes, int at) {
        int value = bytes[at] & 0xFF;
        if ((value & 0xC0) != 0x80) {
            throw malformed(at);
        }
        return value & 0x3F;
    }

    private static IllegalArgumentException malformed(int at) {
        return new IllegalArgumentException("key text: malformed at byte " + at);
    }
}
