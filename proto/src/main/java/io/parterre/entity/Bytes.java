package io.parterre.entity;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads numbers and searches in byte arrays without allocating, because a filter does so for each
 * entity of a table. Stateless; safe for any thread.
 */
final class Bytes {
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final long LOW_BITS = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Bytes() {}

    /** Returns the big-endian number at this offset. */
    static int intAt(byte[] bytes, int offset) {
        return (int) INT.get(bytes, offset);
    }

    /** Returns the big-endian number at this offset. */
    static long longAt(byte[] bytes, int offset) {
        return (long) LONG.get(bytes, offset);
    }

    /** Returns whether the byte occurs in {@code [from, to)}; compares eight bytes at a time. */
    static boolean contains(byte[] bytes, int from, int to, int wanted) {
        long repeated = (wanted & 0xFF) * LOW_BITS;
        int at = from;
        for (; to - at >= Long.BYTES; at += Long.BYTES) {
            long differing = (long) LONG.get(bytes, at) ^ repeated;
            // The subtraction sets the high bit of a zero byte. A byte that had this bit before
            // does not count.
            if (((differing - LOW_BITS) & ~differing & HIGH_BITS) != 0) {
                return true;
            }
        }
        for (; at < to; at++) {
            if (bytes[at] == (byte) wanted) {
                return true;
            }
        }
        return false;
    }
}
