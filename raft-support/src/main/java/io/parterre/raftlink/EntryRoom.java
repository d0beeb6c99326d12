package io.parterre.raftlink;

/**
 * Counts the bytes of the disk that logs may still use. A log that finds the disk full fails, and
 * its process ends. A follower therefore refuses entries before the disk is full, and catches up
 * once there is room. Safe for any thread.
 */
public final class EntryRoom {
    private static final int LOOKS_MAX = 10;

    private long leftBytes = Long.MAX_VALUE;
    private long refusedBytes;

    /**
     * Measurements since the last refusal. Their number is limited, because the leader of the
     * refused entries may send no more.
     */
    private int looks;

    /**
     * Sets the free bytes that the latest measurement of the disk found. Bytes that were taken
     * before count as used.
     */
    public synchronized void seen(long bytes) {
        leftBytes = bytes;
        looks++;
        if (bytes >= refusedBytes || looks > LOOKS_MAX) {
            refusedBytes = 0;
        }
    }

    /** Returns whether entries of this size may be written. If so, their bytes count as used. */
    synchronized boolean take(long bytes) {
        if (bytes > leftBytes) {
            refusedBytes = bytes;
            looks = 0;
            return false;
        }
        leftBytes -= bytes;
        return true;
    }

    /** Returns whether entries were refused lately that would still find no room. */
    public synchronized boolean isRefusing() {
        return refusedBytes > 0;
    }
}
