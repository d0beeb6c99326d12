package org.apache.ratis.server.impl;

import org.apache.ratis.server.RaftServer;

/**
 * Starts a group's first election at once instead of after a timeout. Ratis 3.3.0's own request for
 * an election is no substitute: after two rounds in which no member answers, Ratis takes the caller
 * for an older leader and refuses.
 */
public final class FirstElection {
    private FirstElection() {}

    /**
     * Makes the division a candidate if it has no log yet and knows no leader. This deposes no
     * leader that serves: a majority has accepted an entry of such a leader, and elects no member
     * that lacks the entry. Waits for the disk.
     *
     * @return whether the division is a candidate
     */
    public static boolean stand(RaftServer.Division division) {
        if (!(division instanceof RaftServerImpl server)) {
            return false;
        }
        synchronized (server) {
            boolean first =
                    server.getInfo().isAlive()
                            && server.getInfo().isFollower()
                            && server.getInfo().getLeaderId() == null
                            && server.getRaftLog().getLastEntryTermIndex() == null;
            if (first) {
                server.changeToCandidate(true);
            }
            return first;
        }
    }
}
