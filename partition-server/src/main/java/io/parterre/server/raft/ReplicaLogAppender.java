package io.parterre.server.raft;

import java.util.concurrent.TimeUnit;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.impl.AcknowledgedFollower;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;

/**
 * Sends entries to a follower whose copy ends right before the leader's first entry, counts for the
 * leader's lease only what a follower took, and sends heartbeats of a quiet group when all others
 * of this node to the same one are sent.
 *
 * <p>Ratis 3.3.0 wants the entry before the first one that it sends, or else the snapshot of
 * exactly that index; a store's snapshot has moved on by then, so it would ask the follower to
 * install again for ever (RATIS-2500). The follower itself takes such entries.
 */
final class ReplicaLogAppender extends GrpcLogAppender {
    private final HeartbeatSchedule heartbeats;

    ReplicaLogAppender(RaftServer.Division server, LeaderState state, FollowerInfo follower) {
        super(server, state, AcknowledgedFollower.of(follower));
        this.heartbeats =
                HeartbeatSchedule.of(
                        server.properties().minRpcTimeoutMs(),
                        server.getId().toString(),
                        follower.getId().toString());
    }

    @Override
    public long getHeartbeatWaitTimeMs() {
        long due = super.getHeartbeatWaitTimeMs();
        if (hasPendingDataRequests() || hasAppendEntries()) {
            // Entries are as good as heartbeats, and one between them would hold them up.
            return due;
        }
        return heartbeats.waitMillis(
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
                due,
                getFollower().getLastHeartbeatSendTime().elapsedTimeMs());
    }

    @Override
    public boolean shouldInstallSnapshot(boolean hasSnapshot) {
        return super.shouldInstallSnapshot(hasSnapshot) && !canAppend();
    }

    private boolean canAppend() {
        FollowerInfo follower = getFollower();
        boolean owedCopy =
                getLeaderState().isFollowerBootstrapping(follower)
                        && !follower.hasAttemptedToInstallSnapshot();
        return canAppend(
                follower.getNextIndex(),
                follower.getSnapshotIndex(),
                getRaftLog().getStartIndex(),
                owedCopy);
    }

    /**
     * Whether entries may be sent where Ratis would have a copy installed.
     *
     * @param nextIndex first entry the follower lacks
     * @param snapshotIndex last entry of its copy; -1: none
     * @param startIndex first entry of the leader's log; -1: none
     * @param owedCopy whether it is a new member that has not been offered a copy yet
     */
    static boolean canAppend(
            long nextIndex, long snapshotIndex, long startIndex, boolean owedCopy) {
        return !owedCopy
                && startIndex >= 0
                && nextIndex >= startIndex
                && snapshotIndex + 1 == nextIndex;
    }
}
