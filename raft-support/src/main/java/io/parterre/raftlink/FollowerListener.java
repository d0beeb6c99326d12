package io.parterre.raftlink;

/**
 * A state machine that hears what a leader learns of its followers. The threads that send entries
 * call it: an implementation must not block.
 */
public interface FollowerListener {
    /** A new member begins to get entries; an earlier member of the same id counts no more. */
    void followerJoins(String peerId);

    /** The follower's log ends before an entry that it had acknowledged to this leader. */
    void followerRegressed(String peerId, long acknowledgedIndex);

    /** Some follower has taken what this leader sent; called for each such answer. */
    void followerTook();
}
