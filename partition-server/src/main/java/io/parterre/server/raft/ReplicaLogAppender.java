package io.parterre.server.raft;

import io.parterre.range.NodeId;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.impl.AcknowledgedFollower;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaLogAppender.class);

    /** No answer comes to a call that is older: Ratis gives it up after three seconds. */
    private static final long CALL_MILLIS_MAX = 10_000;

    private final HeartbeatSchedule heartbeats;
    private final AcknowledgedFollower follower;
    private final RegressedFollowers regressed;

    ReplicaLogAppender(RaftServer.Division server, LeaderState state, FollowerInfo follower) {
        this(server, state, AcknowledgedFollower.of(follower));
    }

    private ReplicaLogAppender(
            RaftServer.Division server, LeaderState state, AcknowledgedFollower follower) {
        super(server, state, follower);
        this.follower = follower;
        this.regressed = ((ReplicaStateMachine) server.getStateMachine()).regressed();
        if (state.isFollowerBootstrapping(follower)) {
            regressed.joins(nodeId());
        }
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

    private NodeId nodeId() {
        return new NodeId(follower.getId().toString());
    }

    /**
     * Where to go on after the follower lacked the entry before those sent. A follower whose log
     * ends before an entry that it had acknowledged counts no longer for what it lacks.
     */
    @Override
    protected long getNextIndexForInconsistency(long requestFirstIndex, long replyNextIndex) {
        long acknowledged = follower.getMatchIndex();
        if (isRegressed(acknowledged, replyNextIndex, follower.matchAgeMillis())) {
            LOG.error(
                    "follower lacks entries that it had acknowledged member={} follower={}"
                            + " acknowledgedIndex={} lastIndex={}",
                    getServer().getMemberId(),
                    nodeId(),
                    acknowledged,
                    replyNextIndex - 1);
            regressed.regressed(nodeId(), acknowledged);
            follower.regress(replyNextIndex - 1);
        }
        return super.getNextIndexForInconsistency(requestFirstIndex, replyNextIndex);
    }

    /**
     * Whether a follower's log ends before what it had acknowledged. No acknowledged entry is cut
     * off while one leader leads; but answers overtake each other, since calls go by several
     * streams: so only an answer counts to a call that was made after the acknowledgement came.
     *
     * @param acknowledged last entry that it had acknowledged to this leader; 0 or less: none
     * @param next first entry that it lacks, by its answer
     * @param ageMillis since that acknowledgement came
     */
    static boolean isRegressed(long acknowledged, long next, long ageMillis) {
        return acknowledged > 0 && next <= acknowledged && ageMillis > CALL_MILLIS_MAX;
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
