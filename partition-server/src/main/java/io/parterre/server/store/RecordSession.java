package io.parterre.server.store;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;

/**
 * Whether a node records changes, and for which archive. Immutable. As a row, numbers big-endian:
 *
 * <pre>
 * row = version 1(1) on(1) epoch(8) untilMillis(8) bytesMax(8) archivedMillis(8) archiveId
 * </pre>
 *
 * @param epoch grows each time that recording begins, so that records from before an end of
 *     recording do not count as gapless
 * @param untilMillis wall-clock time at which recording ends unless the archive repeats its request
 * @param archivedMillis wall-clock time up to which the archive has everything; 0: not known
 */
public record RecordSession(
        boolean on,
        long epoch,
        long untilMillis,
        long bytesMax,
        long archivedMillis,
        ByteString archiveId) {
    static final RecordSession NONE = new RecordSession(false, 0, 0, 0, 0, ByteString.EMPTY);

    private static final byte VERSION = 1;
    private static final int HEAD_BYTES = 2 + 4 * Long.BYTES;

    byte[] encode() {
        return ByteBuffer.allocate(HEAD_BYTES + archiveId.size())
                .put(VERSION)
                .put((byte) (on ? 1 : 0))
                .putLong(epoch)
                .putLong(untilMillis)
                .putLong(bytesMax)
                .putLong(archivedMillis)
                .put(archiveId.toByteArray())
                .array();
    }

    static RecordSession decode(byte[] row) {
        ByteBuffer in = ByteBuffer.wrap(row);
        if (row.length < HEAD_BYTES || in.get() != VERSION) {
            throw new IllegalArgumentException(
                    "record session: malformed or of unknown version (expected: " + VERSION + ")");
        }
        return new RecordSession(
                in.get() != 0,
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                ByteString.copyFrom(in));
    }

    RecordSession ended() {
        return new RecordSession(false, epoch, 0, 0, 0, ByteString.EMPTY);
    }

    boolean isOf(ByteString archive) {
        return archiveId.equals(archive);
    }
}
