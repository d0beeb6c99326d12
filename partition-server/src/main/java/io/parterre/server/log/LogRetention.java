package io.parterre.server.log;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Decides how much of a range's log may be dropped: no entry that a flush has not made durable, and
 * not the last part before that, which spares a member that is a little behind a whole copy. That
 * part is bounded twice: in bytes for the disk, because entries vary from bytes to megabytes, and
 * in entries for the heap, where each entry has a record whatever its size. Safe for any thread.
 */
public final class LogRetention {
    private static final long CHUNK_BYTES_MAX = 1 << 20;

    private final long preservedBytes;
    private final LongSupplier preservedEntries;
    private final long dropBytesMin;
    private final long chunkBytes;
    private final Deque<Chunk> chunks = new ArrayDeque<>();
    private long keptBytes;
    private long keptEntries;
    private long openBytes;
    private long openEntries;

    /**
     * Creates a policy.
     *
     * @param preservedBytes bytes of log that are kept although they are durable
     * @param preservedEntries largest number of entries kept like that; may change
     * @param dropBytesMin smallest number of bytes dropped at once
     */
    public LogRetention(long preservedBytes, LongSupplier preservedEntries, long dropBytesMin) {
        this.preservedBytes = preservedBytes;
        this.preservedEntries = preservedEntries;
        this.dropBytesMin = dropBytesMin;
        this.chunkBytes = Math.min(CHUNK_BYTES_MAX, dropBytesMin);
    }

    /** The entries up to an index, from the end of the chunk before. */
    private record Chunk(long lastIndex, long bytes, long entries) {}

    /** Registers log that was found before the first entry is applied, oldest first. */
    public synchronized void found(long firstIndex, long lastIndex, long bytes) {
        add(new Chunk(lastIndex, bytes, lastIndex - firstIndex + 1));
    }

    /** Registers an applied entry. */
    public synchronized void applied(long index, long bytes) {
        openBytes += bytes;
        openEntries++;
        if (openBytes >= chunkBytes) {
            add(new Chunk(index, openBytes, openEntries));
            openBytes = 0;
            openEntries = 0;
        }
    }

    private void add(Chunk chunk) {
        chunks.addLast(chunk);
        keptBytes += chunk.bytes();
        keptEntries += chunk.entries();
    }

    /** Number of entries that are not dropped yet, each with a record in the heap. */
    public synchronized long keptEntries() {
        return keptEntries + openEntries;
    }

    /**
     * Returns the index up to which the log may be dropped, and counts the entries up to there as
     * dropped; empty if dropping is not worth it yet.
     */
    public synchronized OptionalLong drop(long durableIndex) {
        long entriesMax = preservedEntries.getAsLong();
        long dropped = 0;
        long droppedEntries = 0;
        int count = 0;
        for (Chunk chunk : chunks) {
            boolean preserved =
                    keptBytes - dropped - chunk.bytes() < preservedBytes
                            && keptEntries - droppedEntries - chunk.entries() < entriesMax;
            if (chunk.lastIndex() > durableIndex || preserved) {
                break;
            }
            dropped += chunk.bytes();
            droppedEntries += chunk.entries();
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
        keptEntries -= droppedEntries;
        return OptionalLong.of(lastIndex);
    }
}
