package io.parterre.raftlink;

import java.util.OptionalLong;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.grpc.server.GrpcServicesImpl;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.impl.AcknowledgedFollower;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.raftlog.RaftLogIOException;

/**
 * Appends to one follower, with two corrections of Ratis 3.3.0 for the time after a broken
 * connection:
 *
 * <ul>
 *   <li>The follower is called at once. Ratis waits until the next heartbeat is due, and spins
 *       meanwhile where it has nothing to send. The follower would take a live leader for one that
 *       ended ({@link AppendConnections}).
 *   <li>Entries whose acknowledgement was lost are sent again ({@link UnansweredEntries}).
 * </ul>
 */
class ReturningLogAppender extends GrpcLogAppender {
    private final AcknowledgedFollower follower;

    ReturningLogAppender(
            RaftServer.Division server, LeaderState state, AcknowledgedFollower follower) {
        super(server, state, follower);
        this.follower = follower;
        follower.onBroken(this::triggerHeartbeat);
        follower.countCommitted(server.getRaftLog()::getLastCommittedIndex);
    }

    /** Returns the services behind the guard, because Ratis expects services of its own class. */
    @Override
    public GrpcServicesImpl getServerRpc() {
        return CandidateCalls.unguarded(getServer().getRaftServer().getServerRpc());
    }

    private OptionalLong repeatFrom() {
        return follower.unanswered()
                .repeatFrom(
                        follower.getNextIndex(),
                        getRaftLog().getLastCommittedIndex(),
                        hasPendingDataRequests(),
                        System.nanoTime());
    }

    @Override
    public boolean hasAppendEntries() {
        return super.hasAppendEntries() || repeatFrom().isPresent();
    }

    /** Ratis calls this method on the appender's thread, and then records the entries as sent. */
    @Override
    public AppendEntriesRequestProto newAppendEntriesRequest(long callId, boolean heartbeat)
            throws RaftLogIOException {
        OptionalLong repeatFrom = repeatFrom();
        if (repeatFrom.isPresent()) {
            follower.unanswered().repeated(System.nanoTime());
            follower.beginRepeat(repeatFrom.getAsLong());
        }
        boolean entries = false;
        try {
            AppendEntriesRequestProto append = super.newAppendEntriesRequest(callId, heartbeat);
            entries = append != null && append.getEntriesCount() > 0;
            if (entries) {
                follower.unanswered()
                        .sent(
                                append.getEntries(0).getIndex(),
                                append.getEntries(append.getEntriesCount() - 1).getIndex());
            }
            return append;
        } finally {
            if (!entries) {
                follower.endRepeat();
            }
        }
    }
}
