package io.parterre.server.apply;

import java.nio.ByteBuffer;

/**
 * Row of a sender: {@code version(1) floor(8) lastIndex(8) lastTicks(8)}, numbers big-endian.
 * Stateless; safe for any thread.
 */
final class SenderRowCodec {
    private static final byte VERSION = 1;
    private static final int LENGTH_BYTES = 1 + 3 * Long.BYTES;

    private SenderRowCodec() {}

    record Row(long floor, long lastIndex, long lastTicks) {}

    static byte[] encode(long floor, long lastIndex, long lastTicks) {
        return ByteBuffer.allocate(LENGTH_BYTES)
                .put(VERSION)
                .putLong(floor)
                .putLong(lastIndex)
                .putLong(lastTicks)
                .array();
    }

    static Row decode(byte[] bytes) {
        if (bytes.length != LENGTH_BYTES || bytes[0] != VERSION) {
            throw new IllegalArgumentException("sender row: malformed or of unknown version");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes, 1, LENGTH_BYTES - 1);
        return new Row(in.getLong(), in.getLong(), in.getLong());
    }
}
