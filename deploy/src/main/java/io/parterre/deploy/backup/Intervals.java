package io.parterre.deploy.backup;

import com.google.protobuf.ByteString;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.backup.Chunk;
import io.parterre.proto.backup.KeyInterval;

/** Intervals of keys as messages. Stateless; safe for any thread. */
final class Intervals {
    private Intervals() {}

    static KeyInterval toProto(KeyRange keys) {
        return KeyInterval.newBuilder()
                .setStart(ByteString.copyFrom(keys.start().unsafeBytes()))
                .setEndExclusive(ByteString.copyFrom(keys.endExclusive().unsafeBytes()))
                .build();
    }

    /**
     * Reads an interval.
     *
     * @throws IllegalArgumentException if it is empty
     */
    static KeyRange of(KeyInterval message) {
        return new KeyRange(
                Key.wrap(message.getStart().toByteArray()),
                Key.wrap(message.getEndExclusive().toByteArray()));
    }

    /** From the first key of a chunk to its last one. */
    static KeyRange ofChunk(Chunk chunk) {
        return new KeyRange(
                Key.wrap(chunk.getFirstKey().toByteArray()),
                Key.wrap(chunk.getLastKey().toByteArray()).next());
    }
}
