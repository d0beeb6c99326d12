package io.parterre.raftlink;

/**
 * A state machine that is told what a leader learns of its followers. Called on the threads that
 * send entries: must not block.
 */
public interface FollowerListener {
    /** A new member begins to get entries; one of this name before it counts no more. */
    void followerJoins(String peerId);

    /** The follower's log ends before an entry that it had acknowledged to this leader. */
    void followerRegressed(String peerId, long acknowledgedIndex);
}
