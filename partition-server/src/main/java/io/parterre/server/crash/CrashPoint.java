package io.parterre.server.crash;

import io.parterre.raftlink.MemberMoment;

/**
 * Moments at which the end of a partition server must do no harm, each with the content of its disk
 * at that moment. A test ends nodes at every moment, as leader and as follower, so a new constant
 * needs a scenario in that test.
 */
public enum CrashPoint {
    /** An entry has come, from a client or the leader; nothing of it is on disk. */
    BEFORE_LOG_APPEND,
    /** Ratis has taken the entry; its log writer may have written some of it, or none. */
    AFTER_LOG_APPEND,
    /**
     * All earlier entries are synced; the current entries are about to be written and synced as
     * one.
     */
    BEFORE_LOG_SYNC,
    /** A follower's entries are synced, and the leader does not know that yet. */
    AFTER_LOG_SYNC,
    /** The entry is committed: synced by a majority, which may not include this node. */
    BEFORE_APPLY,
    /**
     * Some commands of an entry are applied in the store's memory, the others are not; the entry's
     * log is on disk.
     */
    BETWEEN_SLICES,
    /**
     * The entry's effect is in the store's memory and no caller has an answer; the entry's log is
     * on disk.
     */
    AFTER_APPLY,
    /** Rows up to the applied position are about to be written; the log still has all of them. */
    BEFORE_FLUSH,
    /** These rows and the applied position are on disk, and no part of the node knows that yet. */
    AFTER_FLUSH,
    /** A flush has made part of the log unnecessary; the whole log still exists. */
    BEFORE_LOG_PURGE,
    /** The vote or term is not on disk, and no other member knows of it. */
    BEFORE_VOTE,
    /** The vote or term is on disk, and the answer that states it is not sent. */
    AFTER_VOTE,
    /** The node is elected, with its own vote on disk; no entry of its term has been sent. */
    LEADERSHIP_BEGUN,

    /** A leader has opened its rows to send a copy; nothing changes on its disk. */
    COPY_OPENED,
    /** All rows of a copy have come; their files need not be on disk. */
    COPY_RECEIVED,
    /** The copy's files are on disk beside the old rows, which are untouched. */
    COPY_STAGED,
    /** The replica is marked: the copy's files are now authoritative. */
    COPY_MARKED,
    /** The old rows are gone, the files of the copy are not ingested yet. */
    COPY_EMPTIED,
    /** The copy has become the replica, with position and descriptor; the log ends before it. */
    COPY_INGESTED,

    /** A replica is ordered, as a founding or a joining one; nothing of it is on disk. */
    BEFORE_DESCRIPTOR,
    /** The replica's descriptor is on disk, and it has no Raft group. */
    AFTER_DESCRIPTOR,
    /** The replica's Raft group exists; the manager has no report of it. */
    GROUP_JOINED,
    /** The Raft group has the new members, the descriptor has the old ones. */
    MEMBERS_CONFIGURED,
    /** The new members, or bounds, are in the store's memory; their entry is in the log. */
    MEMBERS_APPLIED,
    /** The replica is marked for removal; its log and rows exist. */
    REMOVAL_MARKED,
    /** The removed replica's log is gone, its rows exist. */
    REMOVAL_LOG_GONE,
    /** The removed replica's rows are gone too; the manager has no report of that. */
    REMOVAL_DONE,

    /**
     * A split's two ranges are in the store's memory; the disk has the state from before it was
     * applied. The child has no Raft group.
     */
    SPLIT_APPLIED,
    /** A split's two ranges are on disk. */
    SPLIT_FLUSHED,
    /** The child has its group here, and no leader. */
    CHILD_JOINED,
    /** The child has a leader here, elected at once. */
    CHILD_LED,

    /**
     * The entry that freezes a range is committed, and not applied here; the members that have the
     * range frozen do not include this node.
     */
    MERGE_FREEZE_COMMITTED,
    /**
     * A range is frozen for its left neighbour in the store's memory; its entry is in the log on
     * disk.
     */
    MERGE_FREEZE_APPLIED,
    /**
     * The absorbing range has its new bounds in the store's memory; the disk has the state from
     * before the merge was applied. The absorbed range still has its Raft group and its log.
     */
    MERGE_ABSORB_APPLIED,
    /** The absorbing range's new bounds are on disk; the absorbed range is marked for removal. */
    MERGE_FLUSHED,
    /** The absorbed range's log is gone, its local rows exist. */
    MERGE_LOG_GONE,
    /** The absorbed range's local rows are gone too. */
    MERGE_RIGHT_REMOVED,

    /** An entry cannot be applied; nothing on disk records that. */
    BEFORE_QUARANTINE,
    /** The replica is marked as quarantined; its group has not ended, and no report states it. */
    QUARANTINE_MARKED,

    /** A manager has stated the node's cluster; the data folder does not record it yet. */
    BEFORE_CLUSTER_ID,
    /** The data folder records the node's cluster. */
    AFTER_CLUSTER_ID;

    /** Returns the constant for a moment of a call from another member. */
    public static CrashPoint of(MemberMoment moment) {
        return switch (moment) {
            case BEFORE_VOTE -> BEFORE_VOTE;
            case AFTER_VOTE -> AFTER_VOTE;
            case BEFORE_APPEND -> BEFORE_LOG_APPEND;
            case AFTER_APPEND -> AFTER_LOG_APPEND;
            case APPEND_SYNCED -> AFTER_LOG_SYNC;
            case LEADERSHIP_BEGUN -> LEADERSHIP_BEGUN;
        };
    }
}
