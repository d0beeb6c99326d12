package io.parterre.raftlink;

/**
 * A state machine that is notified of events at a leader's followers. The threads that send entries
 * call it: an implementation must not block.
 */
public interface FollowerListener {
    /**
     * A new member begins to get entries. The state of an earlier member of the same id is void.
     */
    void followerJoins(String peerId);

    /** The follower's log ends before an entry that it had acknowledged to this leader. */
    void followerRegressed(String peerId, long acknowledgedIndex);

    /** A follower has accepted a call of this leader. Called for each such answer. */
    void followerTook();
}
