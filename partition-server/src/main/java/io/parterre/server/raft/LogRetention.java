package io.parterre.server.raft;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/**
 * Decides how much of a range's log may be dropped: nothing above what a flush has made durable,
 * and not the last bytes below it, which spare a member that is a little behind a whole copy.
 * Entries vary from bytes to megabytes, so bytes are counted, not entries. Safe for any thread.
 */
final class LogRetention {
    private static final long CHUNK_BYTES = 1 << 20;

    private final long preservedBytes;
    private final long dropBytesMin;
    private final Deque<Chunk> chunks = new ArrayDeque<>();
    private long keptBytes;
    private long openBytes;

    /**
     * A policy.
     *
     * @param preservedBytes kept though durable
     * @param dropBytesMin dropped at once at least
     */
    LogRetention(long preservedBytes, long dropBytesMin) {
        this.preservedBytes = preservedBytes;
        this.dropBytesMin = dropBytesMin;
    }

    /** Entries up to an index, back to the chunk before. */
    private record Chunk(long lastIndex, long bytes) {}

    /** Takes note of log that lay there before the first entry is applied, oldest first. */
    synchronized void found(long lastIndex, long bytes) {
        chunks.addLast(new Chunk(lastIndex, bytes));
        keptBytes += bytes;
    }

    /** Takes note of an applied entry. */
    synchronized void applied(long index, long bytes) {
        openBytes += bytes;
        if (openBytes >= CHUNK_BYTES) {
            chunks.addLast(new Chunk(index, openBytes));
            keptBytes += openBytes;
            openBytes = 0;
        }
    }

    /** Index up to which the log may be dropped; empty: not worth it yet. */
    synchronized OptionalLong drop(long durableIndex) {
        long dropped = 0;
        int count = 0;
        for (Chunk chunk : chunks) {
            boolean needed =
                    chunk.lastIndex() > durableIndex
                            || keptBytes - dropped - chunk.bytes() < preservedBytes;
            if (needed) {
                break;
            }
            dropped += chunk.bytes();
            count++;
        }
        if (count == 0 || dropped < dropBytesMin) {
            return OptionalLong.empty();
        }
        long lastIndex = 0;
        for (int i = 0; i < count; i++) {
            lastIndex = chunks.removeFirst().lastIndex();
        }
        keptBytes -= dropped;
        return OptionalLong.of(lastIndex);
    }
}
