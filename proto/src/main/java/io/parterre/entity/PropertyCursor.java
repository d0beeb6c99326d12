package io.parterre.entity;

import java.util.Arrays;
import java.util.UUID;

/**
 * Iterates over the properties of a block in place. Reads only lengths until a value is accessed.
 * Not thread-safe; the bytes must not change meanwhile.
 */
public final class PropertyCursor {
    private byte[] bytes;
    private int end;
    private int next;
    private int start;
    private EdmType type;
    private int nameOffset;
    private int nameLength;
    private int valueOffset;
    private int valueLength;

    public PropertyCursor(byte[] bytes, int offset, int length) {
        reset(bytes, offset, length);
    }

    void reset(byte[] newBytes, int offset, int length) {
        this.bytes = newBytes;
        this.next = offset;
        this.end = offset + length;
    }

    /**
     * Moves to the next property; returns false after the last.
     *
     * @throws IllegalArgumentException if the block is malformed
     */
    public boolean next() {
        if (next >= end) {
            return false;
        }
        start = next;
        type = EdmType.ofTag(bytes[next++]);
        nameLength = readVarint();
        nameOffset = skip(nameLength);
        valueLength =
                switch (type) {
                    case BOOLEAN -> 1;
                    case INT32 -> Integer.BYTES;
                    case INT64, DOUBLE, DATE_TIME -> Long.BYTES;
                    case GUID -> 2 * Long.BYTES;
                    case STRING, BINARY -> readVarint();
                };
        valueOffset = skip(valueLength);
        return true;
    }

    /** Skips so many bytes and returns their offset. */
    private int skip(int length) {
        // Written without an addition, which could overflow: a malformed length may be near the
        // greatest int, or negative.
        if (length < 0 || length > end - next) {
            throw new IllegalArgumentException("property block: ends early");
        }
        int from = next;
        next += length;
        return from;
    }

    private int readVarint() {
        int value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            if (next >= end) {
                break;
            }
            byte part = bytes[next++];
            value |= (part & 0x7F) << shift;
            if (part >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("property block: malformed length");
    }

    public EdmType type() {
        return type;
    }

    public String name() {
        return TextCodec.decode(bytes, nameOffset, nameLength);
    }

    /** Returns whether the name has these UTF-8 bytes. */
    public boolean nameIs(byte[] nameUtf8) {
        return nameLength == nameUtf8.length
                && Arrays.equals(
                        bytes, nameOffset, nameOffset + nameLength, nameUtf8, 0, nameLength);
    }

    /** Compares the name's UTF-8 bytes with these, byte for byte as unsigned numbers. */
    public int compareName(byte[] nameUtf8) {
        return Arrays.compareUnsigned(
                bytes, nameOffset, nameOffset + nameLength, nameUtf8, 0, nameUtf8.length);
    }

    public EdmValue value() {
        return EntityCodec.readValue(type, bytes, valueOffset, valueLength);
    }

    public Property property() {
        return new Property(name(), value());
    }

    /** The value of a string property. */
    public String stringValue() {
        return TextCodec.decode(bytes, valueOffset, valueLength);
    }

    /** The value of a boolean property. */
    public boolean booleanValue() {
        return bytes[valueOffset] != 0;
    }

    /** The value of an Int32 property. */
    public int intValue() {
        return Bytes.intAt(bytes, valueOffset);
    }

    /** The value of an Int64 or DateTime property, or the bits of a Double. */
    public long longValue() {
        return Bytes.longAt(bytes, valueOffset);
    }

    /**
     * Compares a string property with a text, ordinally by UTF-16 code units as the service does.
     *
     * @param text the other text
     * @param textUtf8 the same text encoded by {@link TextCodec}
     */
    public int compareString(String text, byte[] textUtf8) {
        int valueEnd = valueOffset + valueLength;
        int at = Arrays.mismatch(bytes, valueOffset, valueEnd, textUtf8, 0, textUtf8.length);
        if (at < 0) {
            return 0;
        }
        if (at == valueLength || at == textUtf8.length) {
            return Integer.compare(valueLength, textUtf8.length);
        }
        int here = bytes[valueOffset + at] & 0xFF;
        int there = textUtf8[at] & 0xFF;
        // From U+D800 on UTF-8 and UTF-16 sort differently. Such texts are rare, so they are
        // decoded.
        return here >= 0xED || there >= 0xED
                ? stringValue().compareTo(text)
                : Integer.compare(here, there);
    }

    /** Compares a binary property bytewise, shorter prefix first. */
    public int compareBinary(byte[] other) {
        return Arrays.compareUnsigned(
                bytes, valueOffset, valueOffset + valueLength, other, 0, other.length);
    }

    /** Compares a Guid property with a Guid, in the order of their texts. */
    public int compareGuid(UUID other) {
        int high =
                Long.compareUnsigned(
                        Bytes.longAt(bytes, valueOffset), other.getMostSignificantBits());
        return high != 0
                ? high
                : Long.compareUnsigned(
                        Bytes.longAt(bytes, valueOffset + Long.BYTES),
                        other.getLeastSignificantBits());
    }

    /** The array that holds names and values, for writers that copy bytes; not to be changed. */
    public byte[] unsafeBytes() {
        return bytes;
    }

    /** Offset of the name's UTF-8 bytes in {@link #unsafeBytes}. */
    public int nameOffset() {
        return nameOffset;
    }

    /** Length of the name in UTF-8 bytes. */
    public int nameLength() {
        return nameLength;
    }

    /** Offset of the value in {@link #unsafeBytes}; for a string or binary, after its length. */
    public int valueOffset() {
        return valueOffset;
    }

    /** Offset of the property in its array; {@link #seek} returns there. */
    public int position() {
        return start;
    }

    /** Returns to an earlier property of the same entity. */
    public void seek(int position) {
        next = position;
        next();
    }

    /** Copies the stored property, for projections. */
    void copyTo(ByteSink out) {
        out.writeBytes(bytes, start, next - start);
    }

    /** Length of the value in bytes. */
    public int valueLength() {
        return valueLength;
    }
}
