package io.parterre.key;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * A position in the key space: immutable bytes, ordered as unsigned bytes, shorter prefix first.
 * Safe for any thread.
 */
public final class Key implements Comparable<Key> {
    /** Lower bound of the key space; before every other key. */
    public static final Key FIRST = new Key(new byte[0]);

    /** Upper bound of the key space, exclusive; no key space begins with this byte. */
    public static final Key LAST = new Key(new byte[] {(byte) 0xFF});

    private final byte[] bytes;

    /** Cached hash code; 0: not computed yet, as in strings. */
    private int hash;

    private Key(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns a key of these bytes; later changes of the array have no effect. */
    public static Key copyOf(byte[] bytes) {
        return new Key(bytes.clone());
    }

    /**
     * Returns a key that takes the array without a copy; the caller must not change it afterwards.
     */
    public static Key wrap(byte[] bytes) {
        return new Key(bytes);
    }

    /** Returns a copy of the bytes. */
    public byte[] toBytes() {
        return bytes.clone();
    }

    /** Returns the bytes themselves, for hot paths; the caller must not change them. */
    public byte[] unsafeBytes() {
        return bytes;
    }

    public int length() {
        return bytes.length;
    }

    public boolean startsWith(Key prefix) {
        return bytes.length >= prefix.bytes.length
                && Arrays.equals(
                        bytes, 0, prefix.bytes.length, prefix.bytes, 0, prefix.bytes.length);
    }

    /** The first {@code length} bytes as a key. */
    public Key prefix(int length) {
        return new Key(Arrays.copyOf(bytes, checkedLength(length)));
    }

    /** This key followed by {@code suffix}. */
    public Key append(byte[] suffix) {
        byte[] joined = Arrays.copyOf(bytes, bytes.length + suffix.length);
        System.arraycopy(suffix, 0, joined, bytes.length, suffix.length);
        return new Key(joined);
    }

    /** The smallest key greater than this one. */
    public Key next() {
        return new Key(Arrays.copyOf(bytes, bytes.length + 1));
    }

    /**
     * The smallest key greater than every key that starts with this one; {@link #LAST} when there
     * is none below it.
     */
    public Key afterPrefix() {
        int last = bytes.length - 1;
        while (last >= 0 && bytes[last] == (byte) 0xFF) {
            last--;
        }
        if (last < 0) {
            return LAST;
        }
        byte[] end = Arrays.copyOf(bytes, last + 1);
        end[last]++;
        return new Key(end);
    }

    private int checkedLength(int length) {
        if (length < 0 || length > bytes.length) {
            throw new IllegalArgumentException(
                    "length: " + length + " (expected: 0.." + bytes.length + ")");
        }
        return length;
    }

    @Override
    public int compareTo(Key other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Key key && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
        int known = hash;
        if (known == 0) {
            known = Arrays.hashCode(bytes);
            hash = known;
        }
        return known;
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
