package io.parterre.server.command;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Pseudorandom bytes that follow from a seed alone: SplitMix64 (Steele, Lea, Flood 2014), whose
 * outputs are taken as little-endian numbers. This is no cipher: with the seed the bytes are known.
 * Existing logs depend on the algorithm, so it never changes. Stateless; safe for any thread.
 */
final class Keystream {
    private static final long GAMMA = 0x9e3779b97f4a7c15L;
    private static final VarHandle WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Keystream() {}

    /**
     * Combines all bytes from this index on with the keystream. The same call again restores them.
     */
    static void xor(long seed, byte[] bytes, int from) {
        long state = seed;
        int at = from;
        for (; at <= bytes.length - Long.BYTES; at += Long.BYTES) {
            state += GAMMA;
            WORD.set(bytes, at, (long) WORD.get(bytes, at) ^ mixed(state));
        }
        long last = mixed(state + GAMMA);
        for (; at < bytes.length; at++) {
            bytes[at] ^= (byte) last;
            last >>>= Byte.SIZE;
        }
    }

    private static long mixed(long state) {
        long z = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
