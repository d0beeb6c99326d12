package org.apache.ratis.server.impl;

import org.apache.ratis.server.RaftServer;

/** Has a group go on without a leader where it is known from elsewhere what is committed. */
public final class KnownCommit {
    private KnownCommit() {}

    /**
     * Has the division apply its log up to an entry that is known to be committed, and to be the
     * same here, once its own disk has it. Never blocks.
     */
    public static void advance(RaftServer.Division division, long index) {
        if (division instanceof RaftServerImpl server
                && server.getRaftLog().getFlushIndex() >= index
                && server.getRaftLog().getLastCommittedIndex() < index) {
            // Not by its term, as followers do that hear of it from a leader.
            server.getState().updateCommitIndex(index, server.getInfo().getCurrentTerm(), false);
        }
    }
}
