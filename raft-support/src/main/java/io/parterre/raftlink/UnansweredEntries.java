package io.parterre.raftlink;

import java.util.OptionalLong;

/**
 * Entries that a leader sent to one follower and whose acknowledgement it lacks. Ratis 3.3.0 never
 * sends an entry again after the connection broke, unless the follower asks for it. A follower that
 * stored the entry does not ask: if the acknowledgement was lost with the connection, the entry
 * counts only once another entry follows it. Safe for any thread.
 */
public final class UnansweredEntries {
    private static final long NONE = Long.MAX_VALUE;

    private long first = NONE;
    private long last = -1;
    private boolean broken;
    private boolean answeredSince;

    /** Entries from this index up to that one are sent. */
    synchronized void sent(long firstIndex, long lastIndex) {
        first = Math.min(first, firstIndex);
        last = Math.max(last, lastIndex);
    }

    /** The follower acknowledged all entries up to this index. */
    public synchronized void acknowledged(long index) {
        if (index >= last) {
            first = NONE;
            broken = false;
        } else if (index >= first) {
            first = index + 1;
        }
    }

    /** A call has no answer: the connection broke, or the answer is overdue. */
    public synchronized void broken() {
        broken = first != NONE;
        answeredSince = false;
    }

    /** The follower answered a call, whichever. */
    public synchronized void answered() {
        answeredSince = true;
    }

    /**
     * First entry to send again; empty: none. Entries are sent again only to a follower that
     * answers: one that is away would be sent the same entries with each attempt.
     *
     * @param nextIndex next entry to send
     * @param pending whether answers to entries are still expected
     */
    synchronized OptionalLong repeatFrom(long nextIndex, boolean pending) {
        return broken && answeredSince && !pending && first < nextIndex
                ? OptionalLong.of(first)
                : OptionalLong.empty();
    }

    /** The entries are about to be sent again. */
    synchronized void repeated() {
        broken = false;
    }
}
