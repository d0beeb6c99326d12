package org.apache.ratis.server.impl;

import org.apache.ratis.server.RaftServer;

/**
 * Shows whether a leader's lease is valid, which Ratis 3.3.0 keeps package-private. Ratis's public
 * linearizable read is no substitute, because it falls back to a heartbeat round that it may skip.
 */
public final class LeaderLeaseView {
    private LeaderLeaseView() {}

    /**
     * Returns whether the division leads, has applied the first entry of its term, and may answer
     * reads alone at this moment. True for the leader of a group with one member. Never blocks.
     */
    public static boolean hasLease(RaftServer.Division division) {
        return division instanceof RaftServerImpl server
                && server.getRole().getLeaderState().map(LeaderStateImpl::hasLease).orElse(false);
    }
}
