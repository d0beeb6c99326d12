package org.apache.ratis.server.impl;

import org.apache.ratis.server.RaftServer;

/** Lets a group without a leader apply entries that another source shows to be committed. */
public final class KnownCommit {
    private KnownCommit() {}

    /**
     * Makes the division apply its log up to an entry, if the entry is on its disk. Never blocks.
     *
     * @param index entry that is known to be committed and to be the same in this log
     */
    public static void advance(RaftServer.Division division, long index) {
        if (division instanceof RaftServerImpl server
                && server.getRaftLog().getFlushIndex() >= index
                && server.getRaftLog().getLastCommittedIndex() < index) {
            // The entry's term is not checked, as in a follower that gets the commit index from a
            // leader.
            server.getState().updateCommitIndex(index, server.getInfo().getCurrentTerm(), false);
        }
    }
}
