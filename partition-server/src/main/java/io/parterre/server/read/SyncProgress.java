package io.parterre.server.read;

import io.parterre.server.rows.AppliedPosition;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The time up to which a replica is known to hold everything acknowledged. A replica holds it once
 * it has applied two things: the leader's commit index, because nothing is acknowledged before it
 * is committed; and an entry of that leader's own term, because a new leader learns only by its
 * first entry what was committed before. Times are by a ticker, in nanoseconds, and are those at
 * which the leader's message arrived. Immutable; safe for any thread.
 *
 * <p>Of the messages that are not yet met, only the oldest is kept, so that a replica that is
 * always a little behind still makes progress.
 *
 * @param metNanos time at which it was first noticed that all entries of a message are applied;
 *     empty if not yet
 * @param syncedNanos arrival time of the latest message whose entries are all applied; empty if
 *     none
 * @param pending oldest message whose entries are not all applied; empty if none
 */
public record SyncProgress(
        OptionalLong metNanos, OptionalLong syncedNanos, Optional<LeaderCommit> pending) {
    public static final SyncProgress UNKNOWN =
            new SyncProgress(OptionalLong.empty(), OptionalLong.empty(), Optional.empty());

    /**
     * A leader's message that a follower has taken.
     *
     * @param atNanos arrival time
     * @param term term of the leader
     * @param committedIndex leader's commit index when it sent the message; below 0 if none
     */
    public record LeaderCommit(long atNanos, long term, long committedIndex) {
        private boolean isMetBy(AppliedPosition applied) {
            return applied.term() >= term && applied.index() >= committedIndex;
        }
    }

    /** Returns the progress after another message of a leader. */
    public SyncProgress after(LeaderCommit heard, AppliedPosition applied) {
        SyncProgress now = at(applied);
        if (heard.isMetBy(applied)) {
            return now.syncedAt(heard.atNanos());
        }
        return now.pending.isPresent()
                ? now
                : new SyncProgress(now.metNanos, now.syncedNanos, Optional.of(heard));
    }

    /** Returns the progress after more entries were applied. */
    public SyncProgress at(AppliedPosition applied) {
        return pending.filter(heard -> heard.isMetBy(applied))
                .map(
                        heard ->
                                new SyncProgress(metNanos, syncedNanos, Optional.empty())
                                        .syncedAt(heard.atNanos()))
                .orElse(this);
    }

    /**
     * Returns the progress after the replica itself held everything acknowledged at this time, like
     * a leader with a lease.
     */
    public SyncProgress syncedAt(long nanos) {
        boolean later = syncedNanos.isEmpty() || nanos - syncedNanos.getAsLong() > 0;
        return later ? new SyncProgress(metNanos, OptionalLong.of(nanos), pending) : this;
    }

    /**
     * Returns the progress with the time at which it is noticed that the first message is met, if
     * it is.
     */
    public SyncProgress met(long nowNanos) {
        return syncedNanos.isPresent() && metNanos.isEmpty()
                ? new SyncProgress(OptionalLong.of(nowNanos), syncedNanos, pending)
                : this;
    }

    /**
     * Whether the replica has caught up with its leader. In any case it must have applied what was
     * committed when it first heard from a leader. From then on its lag must fall below a bound,
     * for as long as catching up may take. A lag after that is due to load, and does not keep the
     * node from being ready; a silent leader does.
     *
     * @param behindMax largest lag of a replica that is level
     * @param catchUpMax time for which the bound counts after the first message was met
     * @param heard whether the leader was heard lately
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
