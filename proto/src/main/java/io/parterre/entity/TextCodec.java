package io.parterre.entity;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Strings as UTF-8, except that a surrogate without its partner keeps its three-byte form, so that
 * every Java string comes back as it was. Plain UTF-8 would replace it by a question mark.
 * Stateless; safe for any thread.
 */
public final class TextCodec {
    private TextCodec() {}

    public static byte[] encode(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isUnpaired(text, i)) {
                return encodeUnpaired(text);
            }
            if (Character.isHighSurrogate(text.charAt(i))) {
                i++;
            }
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static String decode(byte[] bytes, int offset, int length) {
        int end = offset + length;
        for (int i = offset; i + 1 < end; i++) {
            if (bytes[i] == (byte) 0xED && (bytes[i + 1] & 0xFF) >= 0xA0) {
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

    /** What is plain UTF-8, at once: character by character costs a hundred times its length. */
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
                    bytes[at] == (byte) 0xED && at + 2 < end && (bytes[at + 1] & 0xFF) >= 0xA0;
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
