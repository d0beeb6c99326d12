package io.parterre.directory;

import io.parterre.entity.TextCodec;
import io.parterre.key.ObjectId;
import java.nio.ByteBuffer;

/**
 * Stored form of a directory row: {@code version(1) state(1) tableId(8) name(UTF-8)}. Stateless;
 * safe for any thread.
 */
public final class TableRecordCodec {
    private static final byte VERSION = 1;
    private static final int HEADER_BYTES = 2 + Long.BYTES;

    private TableRecordCodec() {}

    public static byte[] encode(TableRecord table) {
        byte[] name = TextCodec.encode(table.name());
        return ByteBuffer.allocate(HEADER_BYTES + name.length)
                .put(VERSION)
                .put((byte) (table.state() == TableRecord.State.LIVE ? 1 : 2))
                .putLong(table.tableId().value())
                .put(name)
                .array();
    }

    /**
     * Reads a directory row.
     *
     * @throws IllegalArgumentException if the bytes are no row of a known version
     */
    public static TableRecord decode(byte[] bytes) {
        if (bytes.length < HEADER_BYTES || bytes[0] != VERSION || bytes[1] < 1 || bytes[1] > 2) {
            throw new IllegalArgumentException("table record: malformed or of unknown version");
        }
        return new TableRecord(
                TextCodec.decode(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES),
                new ObjectId(ByteBuffer.wrap(bytes, 2, Long.BYTES).getLong()),
                bytes[1] == 1 ? TableRecord.State.LIVE : TableRecord.State.DELETING);
    }
}
