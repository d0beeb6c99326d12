package io.parterre.bench.load;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Growing ASCII text that is rewritten repeatedly without garbage. Not thread-safe.
 *
 * <p>Not a {@code StringBuilder}, whose content would have to be encoded and copied for each
 * request.
 */
public final class ByteText {
    private byte[] bytes;
    private int length;

    public ByteText(int capacity) {
        this.bytes = new byte[capacity];
    }

    public ByteText clear() {
        length = 0;
        return this;
    }

    public int length() {
        return length;
    }

    /** Returns the underlying array, valid up to {@link #length} until the next change. */
    public byte[] array() {
        return bytes;
    }

    public ByteText put(byte[] source, int offset, int count) {
        reserve(count);
        System.arraycopy(source, offset, bytes, length, count);
        length += count;
        return this;
    }

    public ByteText put(byte[] source) {
        return put(source, 0, source.length);
    }

    public ByteText put(ByteText source) {
        return put(source.bytes, 0, source.length);
    }

    public ByteText put(char ascii) {
        reserve(1);
        bytes[length++] = (byte) ascii;
        return this;
    }

    /** Appends a text of ASCII characters. */
    @SuppressWarnings("deprecation") // getBytes(int, int, byte[], int) is the copy we want.
    public ByteText put(String ascii) {
        reserve(ascii.length());
        ascii.getBytes(0, ascii.length(), bytes, length);
        length += ascii.length();
        return this;
    }

    /** Appends a number in decimal, with leading zeros up to {@code digits}. */
    public ByteText putDecimal(long value, int digits) {
        int count = 1;
        for (long rest = value / 10; rest > 0; rest /= 10) {
            count++;
        }
        count = Math.max(count, digits);
        reserve(count);
        long rest = value;
        for (int at = length + count - 1; at >= length; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += count;
        return this;
    }

    /** Appends a number in decimal. */
    public ByteText putDecimal(long value) {
        return putDecimal(value, 1);
    }

    private void reserve(int count) {
        if (bytes.length - length < count) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + count));
        }
    }

    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    }
}
