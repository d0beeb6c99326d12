package io.parterre.entity;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Strings as UTF-8, except that a surrogate without its partner keeps its three-byte form, so that
 * every Java string can be restored. Plain UTF-8 would replace such a surrogate by a question mark.
 * Stateless; safe for any thread.
 */
public final class TextCodec {
    /** First of the three bytes of a surrogate, and of some other characters. */
    private static final int SURROGATE_FIRST_BYTE = 0xED;

    private TextCodec() {}

    public static byte[] encode(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        // A character that cannot be encoded becomes a question mark, so without one all were
        // encoded.
        if (!Bytes.contains(utf8, 0, utf8.length, '?')) {
            return utf8;
        }
        for (int i = 0; i < text.length(); i++) {
            if (isUnpaired(text, i)) {
                return encodeUnpaired(text);
            }
            if (Character.isHighSurrogate(text.charAt(i))) {
                i++;
            }
        }
        return utf8;
    }

    public static String decode(byte[] bytes, int offset, int length) {
        int end = offset + length;
        if (!Bytes.contains(bytes, offset, end, SURROGATE_FIRST_BYTE)) {
            return new String(bytes, offset, length, StandardCharsets.UTF_8);
        }
        for (int i = offset; i + 1 < end; i++) {
            if (bytes[i] == (byte) SURROGATE_FIRST_BYTE && (bytes[i + 1] & 0xFF) >= 0xA0) {
                return decodeUnpaired(bytes, offset, end);
            }
        }
        return new String(bytes, offset, length, StandardCharsets.UTF_8);
    }

    private static boolean isUnpaired(String text, int at) {
        char unit = text.charAt(at);
        if (Character.isHighSurrogate(unit)) {
            return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
        }
        return Character.isLowSurrogate(unit);
    }

    private static byte[] encodeUnpaired(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length() * 3);
        int from = 0;
        for (int at = 0; at < text.length(); at++) {
            if (isUnpaired(text, at)) {
                putPaired(text, from, at, out);
                char unit = text.charAt(at);
                out.write(0xE0 | (unit >> 12));
                out.write(0x80 | ((unit >> 6) & 0x3F));
                out.write(0x80 | (unit & 0x3F));
                from = at + 1;
            } else if (Character.isHighSurrogate(text.charAt(at))) {
                at++;
            }
        }
        putPaired(text, from, text.length(), out);
        return out.toByteArray();
    }

    /** Encodes plain UTF-8 in one call; character by character costs a hundred times as much. */
    private static void putPaired(String text, int from, int to, ByteArrayOutputStream out) {
        if (from < to) {
            out.writeBytes(text.substring(from, to).getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String decodeUnpaired(byte[] bytes, int offset, int end) {
        StringBuilder text = new StringBuilder(end - offset);
        int from = offset;
        for (int at = offset; at < end; at++) {
            boolean surrogate =
                    bytes[at] == (byte) SURROGATE_FIRST_BYTE
                            && at + 2 < end
                            && (bytes[at + 1] & 0xFF) >= 0xA0;
            if (surrogate) {
                if (from < at) {
                    text.append(new String(bytes, from, at - from, StandardCharsets.UTF_8));
                }
                text.append(
                        (char) (0xD000 | ((bytes[at + 1] & 0x3F) << 6) | (bytes[at + 2] & 0x3F)));
                at += 2;
                from = at + 1;
            }
        }
        return text.append(new String(bytes, from, end - from, StandardCharsets.UTF_8)).toString();
    }
}
