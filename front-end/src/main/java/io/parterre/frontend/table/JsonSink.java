package io.parterre.frontend.table;

import io.parterre.error.BusyReason;
import io.parterre.error.StorageException;
import io.parterre.error.Throttle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongPredicate;

/**
 * A growing JSON text: a byte array with only the writes that our bodies need, none of which
 * creates an object. Output is ASCII: everything else is escaped as {@code \\uXXXX} in lower-case
 * hex, as the service does. Source: docs/protocol.md 2.4. Not thread-safe. Any write may throw
 * {@code SERVER_BUSY}, if there is no memory for it.
 */
final class JsonSink {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BASE64 =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
                    .getBytes(StandardCharsets.US_ASCII);

    private static final int BYTES_MAX = Integer.MAX_VALUE - 8;

    /** Most bytes of a code unit. */
    private static final int ESCAPED_BYTES_MAX = 6;

    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final long TOP_BITS = 0x8080_8080_8080_8080L;

    private final LongPredicate room;
    private byte[] bytes;
    private int size;

    JsonSink(int capacity) {
        this(capacity, more -> true);
    }

    /**
     * Creates a sink that asks before it grows beyond its capacity.
     *
     * @param room returns whether there is memory for this number of additional bytes
     */
    JsonSink(int capacity, LongPredicate room) {
        this.bytes = new byte[Math.max(64, capacity)];
        this.room = room;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    /** Discards the content and keeps the buffer. */
    void clear() {
        size = 0;
    }

    /** Writes an ASCII byte that needs no escape. */
    void raw(char unit) {
        ensure(1);
        bytes[size++] = (byte) unit;
    }

    /** Writes ASCII bytes that need no escape. */
    void raw(byte[] ascii) {
        ensure(ascii.length);
        System.arraycopy(ascii, 0, bytes, size, ascii.length);
        size += ascii.length;
    }

    /** Writes ASCII text that needs no escape. */
    void raw(String ascii) {
        int length = ascii.length();
        ensure(length);
        for (int i = 0; i < length; i++) {
            bytes[size++] = (byte) ascii.charAt(i);
        }
    }

    /** Writes a string in quotes. */
    void string(String text) {
        raw('"');
        escaped(text);
        raw('"');
    }

    /** Writes the contents of a string. */
    void escaped(String text) {
        for (int i = 0; i < text.length(); i++) {
            ensure(ESCAPED_BYTES_MAX);
            unit(text.charAt(i));
        }
    }

    /**
     * Writes the contents of a string from UTF-8; surrogates may be encoded as three bytes each.
     */
    void escapedUtf8(byte[] source, int offset, int length) {
        int end = offset + length;
        int at = offset;
        while (at < end) {
            int plainEnd = plainEnd(source, at, end);
            int plain = plainEnd - at;
            ensure(plain + 2 * ESCAPED_BYTES_MAX);
            System.arraycopy(source, at, bytes, size, plain);
            size += plain;
            at = plainEnd == end ? end : character(source, plainEnd);
        }
    }

    /**
     * Writes one character of UTF-8, which may be two code units; the buffer must have room.
     *
     * @return offset after the character
     */
    private int character(byte[] source, int at) {
        byte first = source[at];
        if (first >= 0) {
            unit((char) first);
            return at + 1;
        }
        if ((first & 0xE0) == 0xC0) {
            unit((char) ((first & 0x1F) << 6 | source[at + 1] & 0x3F));
            return at + 2;
        }
        if ((first & 0xF0) == 0xE0) {
            int high = (first & 0x0F) << 12 | (source[at + 1] & 0x3F) << 6;
            unit((char) (high | source[at + 2] & 0x3F));
            return at + 3;
        }
        int high = (first & 0x07) << 18 | (source[at + 1] & 0x3F) << 12;
        int point = high | (source[at + 2] & 0x3F) << 6 | source[at + 3] & 0x3F;
        unit(Character.highSurrogate(point));
        unit(Character.lowSurrogate(point));
        return at + 4;
    }

    /**
     * Returns the end of the bytes that need no escape. Most text consists only of these, so it is
     * checked eight bytes at a time and copied unchanged: byte by byte this was half the cost of a
     * page.
     */
    private static int plainEnd(byte[] source, int from, int to) {
        int at = from;
        while (at + Long.BYTES <= to && isPlain((long) LONG.get(source, at))) {
            at += Long.BYTES;
        }
        while (at < to && isPlain(source[at])) {
            at++;
        }
        return at;
    }

    private static boolean isPlain(byte unit) {
        return unit >= 0x20 && unit != '"' && unit != '\\';
    }

    /** Returns whether none of eight bytes is a control, a quote, a backslash or beyond ASCII. */
    private static boolean isPlain(long eight) {
        long controls = eight - 0x20 * EACH_BYTE;
        long quotes = (eight ^ '"' * EACH_BYTE) - EACH_BYTE;
        long backslashes = (eight ^ '\\' * EACH_BYTE) - EACH_BYTE;
        // A borrow sets a byte's top bit if the byte was too small; bytes with a top bit of their
        // own fail anyway, so nothing has to be masked.
        return ((eight | controls | quotes | backslashes) & TOP_BITS) == 0;
    }

    /** Writes one code unit; the buffer must have room. */
    private void unit(char unit) {
        if (unit >= 0x20 && unit < 0x80 && unit != '"' && unit != '\\') {
            bytes[size++] = (byte) unit;
            return;
        }
        bytes[size++] = '\\';
        switch (unit) {
            case '"', '\\' -> bytes[size++] = (byte) unit;
            case '\n' -> bytes[size++] = 'n';
            case '\r' -> bytes[size++] = 'r';
            case '\t' -> bytes[size++] = 't';
            case '\b' -> bytes[size++] = 'b';
            case '\f' -> bytes[size++] = 'f';
            default -> {
                bytes[size++] = 'u';
                for (int shift = 12; shift >= 0; shift -= 4) {
                    bytes[size++] = HEX[unit >>> shift & 0xF];
                }
            }
        }
    }

    /** Writes a whole number in decimal. */
    void number(long value) {
        ensure(20);
        if (value == Long.MIN_VALUE) {
            raw(Long.toString(value));
            return;
        }
        long rest = value;
        if (rest < 0) {
            bytes[size++] = '-';
            rest = -rest;
        }
        int digits = 1;
        for (long power = rest / 10; power > 0; power /= 10) {
            digits++;
        }
        padded(rest, digits);
    }

    /** Writes a number that is not negative, with exactly this many digits. */
    void padded(long value, int digits) {
        ensure(digits);
        long rest = value;
        for (int at = size + digits - 1; at >= size; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        size += digits;
    }

    /** Writes the low {@code digits * 4} bits as hex digits. */
    void hex(long value, int digits) {
        ensure(digits);
        for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) {
            bytes[size++] = HEX[(int) (value >>> shift) & 0xF];
        }
    }

    /** Writes base64 with padding. */
    void base64(byte[] source, int offset, int length) {
        ensure((length + 2) / 3 * 4);
        int end = offset + length;
        int at = offset;
        for (; at + 2 < end; at += 3) {
            int group =
                    (source[at] & 0xFF) << 16
                            | (source[at + 1] & 0xFF) << 8
                            | source[at + 2] & 0xFF;
            for (int shift = 18; shift >= 0; shift -= 6) {
                bytes[size++] = BASE64[group >>> shift & 0x3F];
            }
        }
        int left = end - at;
        if (left > 0) {
            int group = (source[at] & 0xFF) << 16 | (left == 2 ? (source[at + 1] & 0xFF) << 8 : 0);
            bytes[size++] = BASE64[group >>> 18 & 0x3F];
            bytes[size++] = BASE64[group >>> 12 & 0x3F];
            bytes[size++] = left == 2 ? BASE64[group >>> 6 & 0x3F] : (byte) '=';
            bytes[size++] = '=';
        }
    }

    private void ensure(int more) {
        if (bytes.length - size < more) {
            grow((long) size + more);
        }
    }

    private void grow(long needed) {
        long wanted = Math.min(BYTES_MAX, Math.max(2L * bytes.length, needed));
        if (needed > BYTES_MAX || !room.test(wanted - bytes.length)) {
            throw new StorageException(new Throttle(BusyReason.FRONT_END, Duration.ZERO));
        }
        bytes = Arrays.copyOf(bytes, (int) wanted);
    }
}
