package org.apache.ratis.server.impl;

import org.apache.ratis.server.RaftServer;

/**
 * Has a group's first election now instead of after a timeout. Ratis's own request for an election
 * is refused after two rounds without members that answer, because it takes the caller for an older
 * leader.
 */
public final class FirstElection {
    private FirstElection() {}

    /**
     * Has the division stand for election, if it has no log yet and knows of no leader. That
     * deposes nobody who serves: a leader that does has had an entry taken by a majority, and a
     * majority votes for no one who lacks it. Waits for the disk.
     *
     * @return whether it stands
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
