package io.parterre.server.store;

import io.parterre.key.Key;
import io.parterre.range.RangeId;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Keys of a replica's local rows: {@code 0x00 rangeId(8) kind(1) suffix}. No key space has the tag
 * 0x00, so local keys never collide with data. Stateless; safe for any thread.
 */
public final class LocalKey {
    static final byte TAG = 0x00;
    private static final int PREFIX_BYTES = 1 + Long.BYTES;

    /** Lower bound of the keys of data, after every local key. */
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

    /** Returns the lower bound of the range's local keys. */
    static byte[] first(long rangeId) {
        return ByteBuffer.allocate(PREFIX_BYTES).put(TAG).putLong(rangeId).array();
    }

    static long rangeId(byte[] key) {
        return ByteBuffer.wrap(key, 1, Long.BYTES).getLong();
    }

    /** Returns whether the key is that of a local row of some range, and not of a change record. */
    static boolean isOfRange(byte[] key) {
        return isLocal(key) && rangeId(key) >= 0;
    }

    /** Returns whether the key is that of a local row. */
    public static boolean isLocal(byte[] key) {
        return key[0] == TAG;
    }

    /** Returns whether a local row belongs to this range. */
    public static boolean belongsTo(byte[] key, RangeId rangeId) {
        return key.length > PREFIX_BYTES && rangeId(key) == rangeId.value();
    }

    /** Returns the kind, which distinguishes rows of one range. */
    public static byte kind(byte[] key) {
        return key[PREFIX_BYTES];
    }

    public static byte[] suffix(byte[] key) {
        return Arrays.copyOfRange(key, PREFIX_BYTES + 1, key.length);
    }
}
