package io.parterre.raftlink;

/** Moments of a member's calls at which its end must do no harm. */
public enum MemberMoment {
    /** A vote is asked for; it is not on disk, and nobody has heard of it. */
    BEFORE_VOTE,
    /** The vote is on disk, and the answer that tells of it is not sent. */
    AFTER_VOTE,
    /** Entries have come from the leader; nothing of them is on disk. */
    BEFORE_APPEND,
    /** Ratis has taken them; its log writer may have written some of them, or none. */
    AFTER_APPEND,
    /** They are synced, and the leader has not heard so. */
    APPEND_SYNCED,
    /** Elected, with its own vote on disk; no entry of its term has been sent to anybody. */
    LEAD_BEGUN
}
