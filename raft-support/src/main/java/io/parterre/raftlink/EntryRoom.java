package io.parterre.raftlink;

/**
 * How much logs may still take of the disk. A log that meets its end takes nothing any more, and
 * the process with it; so a follower refuses entries before that, as one that is behind, and
 * catches up once there is room. Safe for any thread.
 */
public final class EntryRoom {
    private static final int LOOKS_MAX = 10;

    private long leftBytes = Long.MAX_VALUE;
    private long refusedBytes;

    /** Looks since the last refusal: whoever sent what did not fit may send no more of it. */
    private int looks;

    /** As seen by the latest look at the disk; what was taken before counts as used by then. */
    public synchronized void seen(long bytes) {
        leftBytes = bytes;
        looks++;
        if (bytes >= refusedBytes || looks > LOOKS_MAX) {
            refusedBytes = 0;
        }
    }

    /** Whether entries of so many bytes may be written; then they count as written. */
    synchronized boolean take(long bytes) {
        if (bytes > leftBytes) {
            refusedBytes = bytes;
            looks = 0;
            return false;
        }
        leftBytes -= bytes;
        return true;
    }

    /** Whether entries were refused of late that would not find room yet. */
    public synchronized boolean isRefusing() {
        return refusedBytes > 0;
    }
}
