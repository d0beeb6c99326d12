package io.parterre.server.raft;

import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;

/**
 * Sends entries to a follower whose copy ends right before the leader's first entry.
 *
 * <p>Ratis 3.3.0 wants the entry before the first one that it sends, or else the snapshot of
 * exactly that index; a store's snapshot has moved on by then, so it would ask the follower to
 * install again for ever (RATIS-2500). The follower itself takes such entries.
 */
final class ReplicaLogAppender extends GrpcLogAppender {
    ReplicaLogAppender(RaftServer.Division server, LeaderState state, FollowerInfo follower) {
        super(server, state, follower);
    }

    @Override
    public boolean shouldInstallSnapshot(boolean hasSnapshot) {
        return super.shouldInstallSnapshot(hasSnapshot) && !canAppend();
    }

    private boolean canAppend() {
        FollowerInfo follower = getFollower();
        long next = follower.getNextIndex();
        boolean bootstrapping =
                getLeaderState().isFollowerBootstrapping(follower)
                        && !follower.hasAttemptedToInstallSnapshot();
        long start = getRaftLog().getStartIndex();
        return !bootstrapping
                && start >= 0
                && next >= start
                && follower.getSnapshotIndex() + 1 == next;
    }
}
