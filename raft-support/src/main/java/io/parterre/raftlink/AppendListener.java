package io.parterre.raftlink;

import org.apache.ratis.protocol.RaftGroupId;

/**
 * Is notified of each call, heartbeats included, that a follower of this node has accepted from its
 * leader. Network threads call the listener: an implementation must not block.
 */
@FunctionalInterface
public interface AppendListener {
    /**
     * A follower of this node has accepted a call of its leader.
     *
     * @param atNanos time of the ticker when the call came in
     * @param term the leader's term
     * @param committedIndex last entry that the leader had committed when it sent the call
     */
    void taken(RaftGroupId groupId, long atNanos, long term, long committedIndex);
}
