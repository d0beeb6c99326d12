package io.parterre.raftlink;

import org.apache.ratis.protocol.RaftGroupId;

/**
 * Told of what leaders send to the followers of this node, heartbeats included, once a follower has
 * taken it. Called on network threads: must not block.
 */
@FunctionalInterface
public interface AppendListener {
    /**
     * A follower of this node has taken a call of its leader.
     *
     * @param atNanos of the ticker, when the call came in
     * @param term of the leader
     * @param committedIndex last entry that was committed when the leader sent the call
     */
    void taken(RaftGroupId groupId, long atNanos, long term, long committedIndex);
}
