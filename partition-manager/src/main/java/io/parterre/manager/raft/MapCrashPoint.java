package io.parterre.manager.raft;

import io.parterre.raftlink.MemberMoment;
import java.util.Optional;

/**
 * Moments at which a crash of a manager must do no harm, each with the state of its disk. A test
 * crashes managers at every one of them, so a new constant needs a case there.
 */
public enum MapCrashPoint {
    /** A command is about to be appended by the leader; nothing of it is on disk. */
    MAP_BEFORE_APPEND,
    /** Ratis has taken the command; its log writer may have written some of it, or none. */
    MAP_AFTER_APPEND,
    /**
     * All earlier entries are synced. The present ones are about to be written and synced together.
     */
    MAP_BEFORE_SYNC,
    /** The command is committed: synced by a majority, of which this manager may not be one. */
    MAP_BEFORE_APPLY,
    /** The map has the command's effect, in memory alone, and no caller has its outcome. */
    MAP_AFTER_APPLY,
    /** A snapshot is due; the log still has all since the last one. */
    MAP_BEFORE_SNAPSHOT,
    /** The snapshot is on disk; the log has not been dropped. */
    MAP_AFTER_SNAPSHOT,
    /** The vote is not on disk, and was not sent. */
    MAP_BEFORE_VOTE,
    /** The vote is on disk, and its answer is not sent. */
    MAP_AFTER_VOTE,
    /** Elected, with its own vote on disk. No entry of its term has been sent to any member. */
    MAP_LEAD_BEGUN;

    /** Returns the crash point of a moment of a member's calls; empty if it has none. */
    static Optional<MapCrashPoint> of(MemberMoment moment) {
        return switch (moment) {
            case BEFORE_VOTE -> Optional.of(MAP_BEFORE_VOTE);
            case AFTER_VOTE -> Optional.of(MAP_AFTER_VOTE);
            case LEADERSHIP_BEGUN -> Optional.of(MAP_LEAD_BEGUN);
            case BEFORE_APPEND, AFTER_APPEND, APPEND_SYNCED -> Optional.empty();
        };
    }
}
