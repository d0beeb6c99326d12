package io.parterre.raftlink;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Entries that a leader sent to one follower and whose acknowledgement it lacks. Ratis 3.3.0 never
 * sends an entry again after the connection broke, unless the follower asks for it. A follower that
 * stored the entry does not ask: if the acknowledgement was lost with the connection, the entry
 * counts only once another entry follows it. Safe for any thread.
 */
public final class UnansweredEntries {
    private static final long NONE = Long.MAX_VALUE;

    /** Time between two repeats: a follower whose disk hangs is not sent the same all the time. */
    private static final long SPACING_NANOS = TimeUnit.SECONDS.toNanos(10);

    private long first = NONE;
    private long last = -1;
    private boolean broken;
    private boolean answeredSince;

    /** Time of the last repeat; empty: none. */
    private OptionalLong repeatedNanos = OptionalLong.empty();

    /** Entries from this index up to that one are sent. */
    public synchronized void sent(long firstIndex, long lastIndex) {
        first = Math.min(first, firstIndex);
        last = Math.max(last, lastIndex);
    }

    /** The follower has all entries up to this index: it acknowledged them, or got a copy. */
    public synchronized void acknowledged(long index) {
        if (index >= last) {
            first = NONE;
            broken = false;
        } else if (index >= first) {
            first = index + 1;
        }
    }

    /**
     * The follower has told its commit index, up to which it has all entries on disk ({@link
     * MemberCalls}). The answer to a heartbeat tells it too, and followers refuse a repeat of
     * entries that they know as committed.
     *
     * @return whether an entry without acknowledgement counts by this
     */
    public synchronized boolean committed(long index) {
        boolean counts = broken && index >= first;
        if (counts) {
            acknowledged(index);
        }
        return counts;
    }

    /** A call has no answer: the connection broke, or the answer is overdue. */
    public synchronized void broken() {
        broken = first != NONE;
        answeredSince = false;
    }

    /** The follower took a call, whichever. */
    public synchronized void answered() {
        answeredSince = true;
    }

    /**
     * First entry to send again; empty: none. Entries are sent again only to a follower that
     * answers: one that is away would be sent the same entries with each attempt.
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

    /** The entries are about to be sent again. */
    synchronized void repeated(long nowNanos) {
        broken = false;
        repeatedNanos = OptionalLong.of(nowNanos);
    }
}
