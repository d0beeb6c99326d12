package io.parterre.manager.raft;

import io.parterre.raftlink.MemberMoment;
import java.util.Optional;

/**
 * Moments at which the end of a manager must do no harm, each with what is on its disk by then. A
 * test ends managers at every one of them, so a new constant needs a way there.
 */
public enum MapCrashPoint {
    /** A command is about to be appended by the leader; nothing of it is on disk. */
    MAP_BEFORE_APPEND,
    /** Ratis has taken the command; its log writer may have written some of it, or none. */
    MAP_AFTER_APPEND,
    /** All earlier entries are synced; those at hand are about to be written and synced as one. */
    MAP_BEFORE_SYNC,
    /** The command is committed: synced by a majority, of which this manager may not be one. */
    MAP_BEFORE_APPLY,
    /** The map has the command's effect, in memory alone, and nobody was told. */
    MAP_AFTER_APPLY,
    /** A snapshot is due; the log still has all since the last one. */
    MAP_BEFORE_SNAPSHOT,
    /** The snapshot is on disk; the log has not been dropped. */
    MAP_AFTER_SNAPSHOT,
    /** The vote is not on disk, and nobody has heard of it. */
    MAP_BEFORE_VOTE,
    /** The vote is on disk, and the answer that tells of it is not sent. */
    MAP_AFTER_VOTE,
    /** Elected, with its own vote on disk; no entry of its term has been sent to anybody. */
    MAP_LEAD_BEGUN;

    /** A moment of what the other managers ask for; empty: none of the list. */
    static Optional<MapCrashPoint> of(MemberMoment moment) {
        return switch (moment) {
            case BEFORE_VOTE -> Optional.of(MAP_BEFORE_VOTE);
            case AFTER_VOTE -> Optional.of(MAP_AFTER_VOTE);
            case LEAD_BEGUN -> Optional.of(MAP_LEAD_BEGUN);
            case BEFORE_APPEND, AFTER_APPEND, APPEND_SYNCED -> Optional.empty();
        };
    }
}
