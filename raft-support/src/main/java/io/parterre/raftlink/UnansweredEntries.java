package io.parterre.raftlink;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Entries that a leader sent to one follower and for which the leader has no acknowledgement. Ratis
 * 3.3.0 never sends an entry again after the connection broke, unless the follower asks for it. A
 * follower that stored the entry does not ask. If the acknowledgement was lost with the connection,
 * the entry counts only once another entry follows it. Safe for any thread.
 */
public final class UnansweredEntries {
    private static final long NONE = Long.MAX_VALUE;

    /**
     * Time between two repeats, so that a follower whose disk hangs does not get the same entries
     * all the time.
     */
    private static final long SPACING_NANOS = TimeUnit.SECONDS.toNanos(10);

    private long first = NONE;
    private long last = -1;
    private boolean broken;
    private boolean answeredSince;

    /** Time of the last repeat; empty: none. */
    private OptionalLong repeatedNanos = OptionalLong.empty();

    /** Records that entries of these indexes, both inclusive, are sent. */
    public synchronized void sent(long firstIndex, long lastIndex) {
        first = Math.min(first, firstIndex);
        last = Math.max(last, lastIndex);
    }

    /**
     * Records that the follower has all entries up to this index, because it acknowledged them or
     * got a copy.
     */
    public synchronized void acknowledged(long index) {
        if (index >= last) {
            first = NONE;
            broken = false;
        } else if (index >= first) {
            first = index + 1;
        }
    }

    /**
     * Records the follower's commit index, up to which the follower has all entries on disk ({@link
     * MemberCalls}). The answer to a heartbeat states the commit index too, and followers refuse a
     * repeat of entries that they know to be committed.
     *
     * @return whether an entry without acknowledgement counts because of this index
     */
    public synchronized boolean committed(long index) {
        boolean counts = broken && index >= first;
        if (counts) {
            acknowledged(index);
        }
        return counts;
    }

    /** Records that a call has no answer, because the connection broke or the answer is overdue. */
    public synchronized void broken() {
        broken = first != NONE;
        answeredSince = false;
    }

    /** Records that the follower accepted a call of any kind. */
    public synchronized void answered() {
        answeredSince = true;
    }

    /**
     * Returns the first entry to send again; empty: none. Entries are sent again only to a follower
     * that answers. A follower that is away would get the same entries with each attempt.
     *
     * @param nextIndex next entry to send
     * @param committedIndex last committed entry; see {@link #committed}
     * @param pending whether answers to entries are still expected
     */
    synchronized OptionalLong repeatFrom(
            long nextIndex, long committedIndex, boolean pending, long nowNanos) {
        long from = Math.max(first, committedIndex + 1);
        boolean due =
                repeatedNanos.isEmpty() || nowNanos - repeatedNanos.getAsLong() >= SPACING_NANOS;
        return broken && answeredSince && !pending && due && first != NONE && from < nextIndex
                ? OptionalLong.of(from)
                : OptionalLong.empty();
    }

    /** Records that the entries are about to be sent again. */
    synchronized void repeated(long nowNanos) {
        broken = false;
        repeatedNanos = OptionalLong.of(nowNanos);
    }
}
