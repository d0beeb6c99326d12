package org.apache.ratis.server.impl;

import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.LogAppender;

/**
 * Has followers hear of what is committed. Ratis tells them with the next entry, or the next
 * heartbeat of a quiet group, which is hundreds of milliseconds away.
 */
public final class CommitNews {
    private CommitNews() {}

    /** Sends a heartbeat now, if the division leads. Never blocks; safe for any thread. */
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
