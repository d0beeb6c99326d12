package io.parterre.server.read;

import io.parterre.server.rows.AppliedPosition;
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
 * @param metNanos when it was first noticed that a word's entries are all applied; empty: not yet
 * @param syncedNanos when the latest word came in whose entries are all applied; empty: none yet
 * @param pending the oldest word whose entries are not
 */
public record SyncProgress(
        OptionalLong metNanos, OptionalLong syncedNanos, Optional<LeaderCommit> pending) {
    public static final SyncProgress UNKNOWN =
            new SyncProgress(OptionalLong.empty(), OptionalLong.empty(), Optional.empty());

    /**
     * A leader's word that a follower has taken.
     *
     * @param term of the leader
     * @param committedIndex last entry that was committed when the leader sent it; below 0: none
     */
    public record LeaderCommit(long atNanos, long term, long committedIndex) {
        private boolean isMetBy(AppliedPosition applied) {
            return applied.term() >= term && applied.index() >= committedIndex;
        }
    }

    /** After another word of a leader. */
    public SyncProgress after(LeaderCommit heard, AppliedPosition applied) {
        SyncProgress now = at(applied);
        if (heard.isMetBy(applied)) {
            return now.syncedAt(heard.atNanos());
        }
        return now.pending.isPresent()
                ? now
                : new SyncProgress(now.metNanos, now.syncedNanos, Optional.of(heard));
    }

    /** After more has been applied. */
    public SyncProgress at(AppliedPosition applied) {
        return pending.filter(heard -> heard.isMetBy(applied))
                .map(
                        heard ->
                                new SyncProgress(metNanos, syncedNanos, Optional.empty())
                                        .syncedAt(heard.atNanos()))
                .orElse(this);
    }

    /** After the replica itself could tell, as a leader with a lease can. */
    public SyncProgress syncedAt(long nanos) {
        boolean later = syncedNanos.isEmpty() || nanos - syncedNanos.getAsLong() > 0;
        return later ? new SyncProgress(metNanos, OptionalLong.of(nanos), pending) : this;
    }

    /** With the time at which it is noticed that the first word is met, if it is. */
    public SyncProgress met(long nowNanos) {
        return syncedNanos.isPresent() && metNanos.isEmpty()
                ? new SyncProgress(OptionalLong.of(nowNanos), syncedNanos, pending)
                : this;
    }

    /**
     * Whether the replica has caught up with its leader. In any case it has applied what was
     * committed when it first heard of a leader. From then on the lag has to fall below a bound,
     * for as long as catching up may take. What is left after that is due to load, and does not
     * keep the node from being ready; a leader that is silent does.
     *
     * @param behindMax lag of a replica that is level
     * @param catchUpMax since the first word was met
     * @param heard whether the leader was heard of late
     */
    public boolean hasCaughtUp(
            long nowNanos, Duration behindMax, Duration catchUpMax, boolean heard) {
        if (syncedNanos.isEmpty()) {
            return false;
        }
        boolean level = nowNanos - syncedNanos.getAsLong() <= behindMax.toNanos();
        boolean given =
                metNanos.isPresent() && nowNanos - metNanos.getAsLong() > catchUpMax.toNanos();
        return level || heard && given && pending.isPresent();
    }
}
