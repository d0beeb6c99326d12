package io.parterre.server.crash;

import io.parterre.raftlink.MemberMoment;

/**
 * Moments at which the end of a partition server must do no harm, each with what is on its disk by
 * then. A test ends nodes at every one of them, leading and following, so a new constant needs a
 * way there.
 */
public enum CrashPoint {
    /** An entry has come, from a client or the leader; nothing of it is on disk. */
    BEFORE_LOG_APPEND,
    /** Ratis has taken the entry; its log writer may have written some of it, or none. */
    AFTER_LOG_APPEND,
    /** All earlier entries are synced; those at hand are about to be written and synced as one. */
    BEFORE_LOG_SYNC,
    /** A follower's entries are synced, and the leader has not heard so. */
    AFTER_LOG_SYNC,
    /** The entry is committed: synced by a majority, of which this node may not be one. */
    BEFORE_APPLY,
    /**
     * Some commands of an entry are applied, in the store's memory, and the others are not; on disk
     * is its log.
     */
    BETWEEN_SLICES,
    /** The entry's effect is in the store's memory and nobody was told; on disk is its log. */
    AFTER_APPLY,
    /** Rows up to the applied position are about to be written; the log still has all of them. */
    BEFORE_FLUSH,
    /** They are on disk, with the applied position, and nobody has looked that up. */
    AFTER_FLUSH,
    /** A flush has made part of the log needless; all of the log is still there. */
    BEFORE_LOG_PURGE,
    /** The vote or term is not on disk, and nobody has heard of it. */
    BEFORE_VOTE,
    /** The vote or term is on disk, and the answer that tells of it is not sent. */
    AFTER_VOTE,
    /** Elected, with its own vote on disk; no entry of its term has been sent to anybody. */
    LEAD_BEGUN,

    /** A leader has opened its rows to send a copy; nothing changes on its disk. */
    COPY_OPENED,
    /** All rows of a copy have come; their files need not be on disk. */
    COPY_RECEIVED,
    /** The copy's files are on disk beside the old rows, which are untouched. */
    COPY_STAGED,
    /** The replica is marked: the copy's files are the truth. */
    COPY_MARKED,
    /** The old rows are gone, the files of the copy are not taken in yet. */
    COPY_EMPTIED,
    /** The copy is the replica, with position and descriptor; the log ends before it. */
    COPY_INGESTED,

    /** A replica is ordered, founded or to join; nothing of it is on disk. */
    BEFORE_DESCRIPTOR,
    /** Its descriptor is on disk, and it has no Raft group. */
    AFTER_DESCRIPTOR,
    /** Its Raft group is there; the manager has not heard of it. */
    GROUP_JOINED,
    /** The Raft group has other members, the descriptor has not. */
    MEMBERS_CONFIGURED,
    /** Other members, or bounds, are in the store's memory and, as an entry, in the log. */
    MEMBERS_APPLIED,
    /** The replica is marked as one that goes; log and rows are there. */
    REMOVAL_MARKED,
    /** Its log is gone, its rows are there. */
    REMOVAL_LOG_GONE,
    /** Its rows are gone too; the manager has not heard of it. */
    REMOVAL_DONE,

    /**
     * A split's two ranges are in the store's memory, and on disk is what was there before it was
     * applied; the child has no Raft group.
     */
    SPLIT_APPLIED,
    /** They are on disk. */
    SPLIT_FLUSHED,
    /** The child has its group here, and no leader. */
    CHILD_JOINED,
    /** The child is led here, by what was elected at once. */
    CHILD_LED,

    /**
     * The entry that freezes a range is committed, and not applied here: nobody counts this node
     * among those that have.
     */
    MERGE_FREEZE_COMMITTED,
    /**
     * A range is frozen for its left neighbour in the store's memory, and on disk, as an entry, in
     * its log.
     */
    MERGE_FREEZE_APPLIED,
    /**
     * The range that absorbs it is the wider one in the store's memory, and on disk is what was
     * there before it was applied; the absorbed one has its Raft group and its log.
     */
    MERGE_ABSORB_APPLIED,
    /** The wider one is on disk; the absorbed one is marked as one that goes. */
    MERGE_FLUSHED,
    /** The absorbed one's log is gone, rows of its own are there. */
    MERGE_LOG_GONE,
    /** They are gone too. */
    MERGE_RIGHT_REMOVED,

    /** An entry cannot be applied; nothing on disk says so. */
    BEFORE_QUARANTINE,
    /**
     * The replica is marked as quarantined; its group has not ended, and nobody has heard of it.
     */
    QUARANTINE_MARKED,

    /** The node has been told which cluster it belongs to; its folder does not say so. */
    BEFORE_CLUSTER_ID,
    /** Its folder says so. */
    AFTER_CLUSTER_ID;

    /** A moment of what the other members ask for. */
    public static CrashPoint of(MemberMoment moment) {
        return switch (moment) {
            case BEFORE_VOTE -> BEFORE_VOTE;
            case AFTER_VOTE -> AFTER_VOTE;
            case BEFORE_APPEND -> BEFORE_LOG_APPEND;
            case AFTER_APPEND -> AFTER_LOG_APPEND;
            case APPEND_SYNCED -> AFTER_LOG_SYNC;
            case LEAD_BEGUN -> LEAD_BEGUN;
        };
    }
}
