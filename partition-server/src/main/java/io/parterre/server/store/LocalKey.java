package io.parterre.server.store;

import io.parterre.key.Key;
import io.parterre.range.RangeId;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Keys of what a replica knows of itself: {@code 0x00 rangeId(8) kind(1) suffix}. No key space has
 * the tag 0x00, so they never meet data. Stateless; safe for any thread.
 */
public final class LocalKey {
    static final byte TAG = 0x00;
    private static final int PREFIX_BYTES = 1 + Long.BYTES;

    /** Before every key of data. */
    public static final Key FIRST_DATA = Key.copyOf(new byte[] {TAG + 1});

    private LocalKey() {}

    public static byte[] of(RangeId rangeId, byte kind, byte[] suffix) {
        return ByteBuffer.allocate(PREFIX_BYTES + 1 + suffix.length)
                .put(TAG)
                .putLong(rangeId.value())
                .put(kind)
                .put(suffix)
                .array();
    }

    public static byte[] of(RangeId rangeId, byte kind) {
        return of(rangeId, kind, new byte[0]);
    }

    /** Before every local key of the range. */
    static byte[] first(long rangeId) {
        return ByteBuffer.allocate(PREFIX_BYTES).put(TAG).putLong(rangeId).array();
    }

    static long rangeId(byte[] key) {
        return ByteBuffer.wrap(key, 1, Long.BYTES).getLong();
    }

    /** Whether the key is a local row's of some range, and not that of a record of changes. */
    static boolean isOfRange(byte[] key) {
        return isLocal(key) && rangeId(key) >= 0;
    }

    /** Whether the key is a local row's. */
    public static boolean isLocal(byte[] key) {
        return key[0] == TAG;
    }

    /** Whether a local row is of this range. */
    public static boolean belongsTo(byte[] key, RangeId rangeId) {
        return key.length > PREFIX_BYTES && rangeId(key) == rangeId.value();
    }

    /** What tells rows of one range apart: kind. */
    public static byte kind(byte[] key) {
        return key[PREFIX_BYTES];
    }

    public static byte[] suffix(byte[] key) {
        return Arrays.copyOfRange(key, PREFIX_BYTES + 1, key.length);
    }
}
