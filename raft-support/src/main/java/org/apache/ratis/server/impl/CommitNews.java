package org.apache.ratis.server.impl;

import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.LogAppender;

/**
 * Sends followers the commit index at once. Ratis 3.3.0 sends it with the next entry, or with the
 * next heartbeat of a quiet group, hundreds of milliseconds later.
 */
public final class CommitNews {
    private CommitNews() {}

    /**
     * Sends a heartbeat to all followers now, if the division leads. Never blocks; safe for any
     * thread.
     */
    public static void send(RaftServer.Division division) {
        if (division instanceof RaftServerImpl server) {
            server.getRole()
                    .getLeaderState()
                    .ifPresent(
                            leader ->
                                    leader.getLogAppenders()
                                            .forEach(LogAppender::triggerHeartbeat));
        }
    }
}
