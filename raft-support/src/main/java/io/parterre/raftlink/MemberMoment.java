package io.parterre.raftlink;

/** Moments in a member's calls at which the end of its process must do no harm. */
public enum MemberMoment {
    /** A candidate has asked for a vote; the vote is not on disk, and no member knows of it. */
    BEFORE_VOTE,
    /** The vote is on disk; the answer is not sent. */
    AFTER_VOTE,
    /** Entries have come from the leader; none of them is on disk. */
    BEFORE_APPEND,
    /** Ratis has taken the entries; its log writer may have written some of them, or none. */
    AFTER_APPEND,
    /** The entries are synced; the leader does not know that yet. */
    APPEND_SYNCED,
    /** The member is elected, with its own vote on disk; no entry of its term has been sent. */
    LEADERSHIP_BEGUN
}
