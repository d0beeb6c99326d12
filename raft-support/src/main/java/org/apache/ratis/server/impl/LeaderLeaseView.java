package org.apache.ratis.server.impl;

import org.apache.ratis.server.RaftServer;

/**
 * Whether a leader's lease is valid. Ratis answers that only to itself; its public linearizable
 * read falls back to a heartbeat round that it may skip, and is no substitute.
 */
public final class LeaderLeaseView {
    private LeaderLeaseView() {}

    /**
     * Whether the division leads, has applied the first entry of its term, and may answer reads
     * alone at this moment. True for the leader of a group with one member. Never blocks.
     */
    public static boolean hasLease(RaftServer.Division division) {
        return division instanceof RaftServerImpl server
                && server.getRole().getLeaderState().map(LeaderStateImpl::hasLease).orElse(false);
    }
}
