package io.parterre.server.raft;

import org.apache.ratis.protocol.RaftGroupId;

/** Told of what leaders send, heartbeats included, once a follower has taken it. Must not block. */
@FunctionalInterface
interface AppendListener {
    /**
     * A follower of this node has taken a leader's word.
     *
     * @param heard what it said of itself
     */
    void taken(RaftGroupId groupId, SyncProgress.LeaderCommit heard);
}
