package io.parterre.raftlink;

import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.impl.AcknowledgedFollower;
import org.apache.ratis.server.leader.LeaderState;

/**
 * Appends to one follower, and calls it at once after a connection broke. Ratis 3.3.0 waits until
 * the next heartbeat is due, and spins meanwhile where it has nothing to send: a leader that lives
 * would be taken for one that ended ({@link AppendConnections}).
 */
class ReturningLogAppender extends GrpcLogAppender {
    ReturningLogAppender(
            RaftServer.Division server, LeaderState state, AcknowledgedFollower follower) {
        super(server, state, follower);
        follower.onBroken(this::triggerHeartbeat);
    }
}
