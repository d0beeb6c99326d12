package io.parterre.server.raft;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Until when a replica knows itself to hold everything that was acknowledged. It does once it has
 * applied what its leader said to be committed, since nothing is acknowledged before that; and
 * something of that leader's own term, since a new leader learns only by its first entry what was
 * committed before it. Times are of a ticker in nanoseconds, of the moment at which the leader's
 * word came in. Immutable; safe for any thread.
 *
 * <p>Of the words that are not applied yet only the oldest is kept, so that a replica that is
 * always a little behind still gets ahead.
 *
 * @param firstNanos when the first word came in; empty: none yet
 * @param syncedNanos when the latest word came in whose entries are all applied; empty: none yet
 * @param pending the oldest word whose entries are not
 */
record SyncProgress(
        OptionalLong firstNanos, OptionalLong syncedNanos, Optional<LeaderCommit> pending) {
    static final SyncProgress UNKNOWN =
            new SyncProgress(OptionalLong.empty(), OptionalLong.empty(), Optional.empty());

    /**
     * A leader's word that a follower has taken.
     *
     * @param term of the leader
     * @param committedIndex last entry that was committed when the leader sent it; below 0: none
     */
    record LeaderCommit(long atNanos, long term, long committedIndex) {
        private boolean isMetBy(AppliedPosition applied) {
            return applied.term() >= term && applied.index() >= committedIndex;
        }
    }

    /** After another word of a leader. */
    SyncProgress after(LeaderCommit heard, AppliedPosition applied) {
        SyncProgress now = at(applied);
        if (heard.isMetBy(applied)) {
            return now.syncedAt(heard.atNanos());
        }
        return now.pending.isPresent()
                ? now
                : new SyncProgress(
                        now.firstAt(heard.atNanos()), now.syncedNanos, Optional.of(heard));
    }

    /** After more has been applied. */
    SyncProgress at(AppliedPosition applied) {
        return pending.filter(heard -> heard.isMetBy(applied))
                .map(
                        heard ->
                                new SyncProgress(firstNanos, syncedNanos, Optional.empty())
                                        .syncedAt(heard.atNanos()))
                .orElse(this);
    }

    /** After the replica itself could tell, as a leader with a lease can. */
    SyncProgress syncedAt(long nanos) {
        boolean later = syncedNanos.isEmpty() || nanos - syncedNanos.getAsLong() > 0;
        return later ? new SyncProgress(firstAt(nanos), OptionalLong.of(nanos), pending) : this;
    }

    private OptionalLong firstAt(long nanos) {
        return firstNanos.isPresent() ? firstNanos : OptionalLong.of(nanos);
    }

    /**
     * Whether the replica has caught up with its leader. In any case it has applied what was
     * committed when it first heard of a leader. From then on the lag has to fall below a bound,
     * for as long as catching up may take. What is left after that is due to load, and does not
     * keep the node from being ready; a leader that is silent does.
     *
     * @param behindMax lag of a replica that is level
     * @param catchUpMax since the first word
     */
    boolean hasCaughtUp(long nowNanos, Duration behindMax, Duration catchUpMax) {
        return syncedNanos.isPresent()
                && (nowNanos - syncedNanos.getAsLong() <= behindMax.toNanos()
                        || pending.isPresent()
                                && nowNanos - firstNanos.getAsLong() > catchUpMax.toNanos());
    }
}
