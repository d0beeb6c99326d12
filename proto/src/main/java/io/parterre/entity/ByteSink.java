package io.parterre.entity;

import java.util.Arrays;

/** Growing byte array with the few writes that the codecs need. Not thread-safe. */
public final class ByteSink {
    private byte[] bytes;
    private int size;

    public ByteSink(int capacity) {
        this.bytes = new byte[capacity];
    }

    public int size() {
        return size;
    }

    public void writeByte(int value) {
        ensure(1);
        bytes[size++] = (byte) value;
    }

    public void writeInt(int value) {
        ensure(Integer.BYTES);
        for (int shift = 24; shift >= 0; shift -= 8) {
            bytes[size++] = (byte) (value >>> shift);
        }
    }

    public void writeLong(long value) {
        ensure(Long.BYTES);
        for (int shift = 56; shift >= 0; shift -= 8) {
            bytes[size++] = (byte) (value >>> shift);
        }
    }

    /** Writes a number with seven bits a byte, lowest first. */
    public void writeVarint(int value) {
        int rest = value;
        ensure(varintLength(value));
        while ((rest & ~0x7F) != 0) {
            bytes[size++] = (byte) ((rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    public void writeBytes(byte[] source, int offset, int length) {
        ensure(length);
        System.arraycopy(source, offset, bytes, size, length);
        size += length;
    }

    /** Writes the length as a varint, then the bytes. */
    public void writeBlob(byte[] source) {
        writeBlob(source, 0, source.length);
    }

    /** Writes the length as a varint, then the bytes. */
    public void writeBlob(byte[] source, int offset, int length) {
        writeVarint(length);
        writeBytes(source, offset, length);
    }

    /** Returns the bytes that {@link #writeVarint} writes for a non-negative number. */
    static int varintLength(int value) {
        int significantBits = Integer.SIZE - Integer.numberOfLeadingZeros(value | 1);
        return (significantBits + 6) / 7;
    }

    public byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    /** Returns the bytes, without a copy if they fill the array; the sink is empty afterwards. */
    public byte[] takeBytes() {
        byte[] taken = size == bytes.length ? bytes : toBytes();
        bytes = new byte[0];
        size = 0;
        return taken;
    }

    /** Removes the content and keeps the memory. */
    public void clear() {
        size = 0;
    }

    private void ensure(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}
