package org.apache.ratis.server.impl;

import org.apache.ratis.server.RaftServer;

/**
 * Tells whether a leader's lease is valid; Ratis 3.3.0 keeps that package-private. Ratis's public
 * linearizable read is no substitute: it falls back to a heartbeat round that it may skip.
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
