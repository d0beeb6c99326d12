package io.parterre.deploy.backup;

import com.google.protobuf.ByteString;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.backup.Chunk;
import io.parterre.proto.backup.KeyInterval;

/** Converts intervals of keys to messages and back. Stateless; thread-safe. */
final class Intervals {
    private Intervals() {}

    static KeyInterval toProto(KeyRange keys) {
        return KeyInterval.newBuilder()
                .setStart(ByteString.copyFrom(keys.start().unsafeBytes()))
                .setEndExclusive(ByteString.copyFrom(keys.endExclusive().unsafeBytes()))
                .build();
    }

    /**
     * Parses an interval.
     *
     * @throws IllegalArgumentException if it is empty
     */
    static KeyRange of(KeyInterval message) {
        return new KeyRange(
                Key.wrap(message.getStart().toByteArray()),
                Key.wrap(message.getEndExclusive().toByteArray()));
    }

    /** Returns the interval from the first to the last key of a chunk. */
    static KeyRange ofChunk(Chunk chunk) {
        return new KeyRange(
                Key.wrap(chunk.getFirstKey().toByteArray()),
                Key.wrap(chunk.getLastKey().toByteArray()).next());
    }
}
