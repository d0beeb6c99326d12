package org.apache.ratis.server.impl;

import org.apache.ratis.server.RaftServer;

/** Lets a group without a leader apply entries that are known from elsewhere to be committed. */
public final class KnownCommit {
    private KnownCommit() {}

    /**
     * Has the division apply its log up to an entry, if the entry is on its disk. Never blocks.
     *
     * @param index entry that is known to be committed and to be the same in this log
     */
    public static void advance(RaftServer.Division division, long index) {
        if (division instanceof RaftServerImpl server
                && server.getRaftLog().getFlushIndex() >= index
                && server.getRaftLog().getLastCommittedIndex() < index) {
            // Without a check of the entry's term, as in a follower that hears it from a leader.
            server.getState().updateCommitIndex(index, server.getInfo().getCurrentTerm(), false);
        }
    }
}
