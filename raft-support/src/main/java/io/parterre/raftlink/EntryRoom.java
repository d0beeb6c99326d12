package io.parterre.raftlink;

/**
 * Counts how many bytes of the disk logs may still take. A log that finds the disk full fails, and
 * its process ends. A follower therefore refuses entries before that, and catches up once there is
 * room. Safe for any thread.
 */
public final class EntryRoom {
    private static final int LOOKS_MAX = 10;

    private long leftBytes = Long.MAX_VALUE;
    private long refusedBytes;

    /** Looks since the last refusal: the leader of entries that did not fit may send no more. */
    private int looks;

    /** Sets what the latest look at the disk found free; what was taken before counts as used. */
    public synchronized void seen(long bytes) {
        leftBytes = bytes;
        looks++;
        if (bytes >= refusedBytes || looks > LOOKS_MAX) {
            refusedBytes = 0;
        }
    }

    /** Whether entries of this size may be written; if so, they count as written. */
    synchronized boolean take(long bytes) {
        if (bytes > leftBytes) {
            refusedBytes = bytes;
            looks = 0;
            return false;
        }
        leftBytes -= bytes;
        return true;
    }

    /** Whether entries were refused lately that would still find no room. */
    public synchronized boolean isRefusing() {
        return refusedBytes > 0;
    }
}
