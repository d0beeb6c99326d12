package io.parterre.server.apply;

import java.nio.ByteBuffer;
import java.util.OptionalLong;

/**
 * Row of a sender, numbers big-endian:
 *
 * <pre>
 * row = 1(1) floor(8) lastIndex(8) lastTicks(8)
 *     | 2(1) floor(8) lastIndex(8) lastTicks(8) silentSinceTicks(8)
 * </pre>
 *
 * <p>Stateless; safe for any thread.
 */
final class SenderRowCodec {
    private static final byte HEARD = 1;
    private static final byte SILENT = 2;
    private static final int HEARD_BYTES = 1 + 3 * Long.BYTES;
    private static final int SILENT_BYTES = 1 + 4 * Long.BYTES;

    private SenderRowCodec() {}

    /**
     * What is kept of a sender.
     *
     * @param silentSinceTicks log time of the entry that found the sender silent; empty if none has
     */
    record Row(long floor, long lastIndex, long lastTicks, OptionalLong silentSinceTicks) {}

    static byte[] encode(Row row) {
        boolean silent = row.silentSinceTicks().isPresent();
        ByteBuffer out =
                ByteBuffer.allocate(silent ? SILENT_BYTES : HEARD_BYTES)
                        .put(silent ? SILENT : HEARD)
                        .putLong(row.floor())
                        .putLong(row.lastIndex())
                        .putLong(row.lastTicks());
        row.silentSinceTicks().ifPresent(out::putLong);
        return out.array();
    }

    static Row decode(byte[] bytes) {
        boolean heard = bytes.length == HEARD_BYTES && bytes[0] == HEARD;
        boolean silent = bytes.length == SILENT_BYTES && bytes[0] == SILENT;
        if (!heard && !silent) {
            throw new IllegalArgumentException("sender row: malformed or of unknown version");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
        return new Row(
                in.getLong(),
                in.getLong(),
                in.getLong(),
                silent ? OptionalLong.of(in.getLong()) : OptionalLong.empty());
    }
}
