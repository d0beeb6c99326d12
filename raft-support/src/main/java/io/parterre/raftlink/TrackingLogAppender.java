package io.parterre.raftlink;

import java.util.concurrent.TimeUnit;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.impl.AcknowledgedFollower;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.protocol.TermIndex;
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
 *
 * <p>The group's state machine is a {@link FollowerListener}.
 */
final class TrackingLogAppender extends GrpcLogAppender {
    private static final Logger LOG = LoggerFactory.getLogger(TrackingLogAppender.class);

    private final HeartbeatSchedule heartbeats;
    private final AcknowledgedFollower follower;

    /** What the follower seemed to lack when it last lacked something. */
    private volatile Lack lack = Lack.NONE;

    TrackingLogAppender(RaftServer.Division server, LeaderState state, FollowerInfo follower) {
        this(server, state, AcknowledgedFollower.of(follower));
    }

    private TrackingLogAppender(
            RaftServer.Division server, LeaderState state, AcknowledgedFollower follower) {
        super(server, state, follower);
        this.follower = follower;
        if (state.isFollowerBootstrapping(follower)) {
            listener().followerJoins(follower.getId().toString());
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

    private FollowerListener listener() {
        return (FollowerListener) getServer().getStateMachine();
    }

    /**
     * Where to go on after the follower lacked the entry before those sent. A follower whose log
     * ends before an entry that it had acknowledged counts no longer for what it lacks.
     */
    @Override
    protected long getNextIndexForInconsistency(long requestFirstIndex, long replyNextIndex) {
        long acknowledged = follower.getMatchIndex();
        lack = lack.next(acknowledged, replyNextIndex, System.nanoTime());
        if (lack.isCertain(System.nanoTime())) {
            lack = Lack.NONE;
            LOG.error(
                    "follower lacks entries that it had acknowledged member={} follower={}"
                            + " acknowledgedIndex={} lastIndex={}",
                    getServer().getMemberId(),
                    follower.getId(),
                    acknowledged,
                    replyNextIndex - 1);
            listener().followerRegressed(follower.getId().toString(), acknowledged);
            follower.regress(replyNextIndex - 1);
        }
        return super.getNextIndexForInconsistency(requestFirstIndex, replyNextIndex);
    }

    /**
     * A follower whose log seems to end before what it had acknowledged. No acknowledged entry is
     * cut off while one leader leads; but calls go by several streams, and an answer that was made
     * before an acknowledgement may come after it. So the follower has to say so again, later than
     * any such answer comes, with nothing acknowledged meanwhile.
     *
     * @param acknowledged last entry that it had acknowledged; 0: it lacks nothing
     * @param sinceNanos when that was first seen
     */
    record Lack(long acknowledged, long sinceNanos) {
        static final Lack NONE = new Lack(0, 0);

        /** Ratis gives up a call that is not answered in this time. */
        private static final long CALL_NANOS_MAX = TimeUnit.SECONDS.toNanos(3);

        /**
         * With the next answer that the follower lacks the entry before those sent.
         *
         * @param acknowledgedNow last entry that it had acknowledged; 0 or less: none
         * @param next first entry that it lacks, by its answer
         */
        Lack next(long acknowledgedNow, long next, long nowNanos) {
            if (acknowledgedNow <= 0 || next > acknowledgedNow) {
                return NONE;
            }
            return acknowledgedNow == acknowledged ? this : new Lack(acknowledgedNow, nowNanos);
        }

        boolean isCertain(long nowNanos) {
            return acknowledged > 0 && nowNanos - sinceNanos > CALL_NANOS_MAX;
        }
    }

    /**
     * The first entry up to which a copy has to reach. A follower that holds everything before the
     * leader's first entry says that it is installed already, and gets none; where the leader
     * cannot append either, since it no longer knows what its first entry follows, the copy has to
     * reach that entry itself. Its rows do: the leader has applied it, or its snapshot would be
     * what the first entry follows.
     */
    @Override
    public TermIndex shouldNotifyToInstallSnapshot() {
        TermIndex first = super.shouldNotifyToInstallSnapshot();
        if (first == null) {
            return null;
        }
        long appliedIndex = getServer().getInfo().getLastAppliedIndex();
        return TermIndex.valueOf(
                first.getTerm(),
                copyReaches(getFollower().getNextIndex(), first.getIndex(), appliedIndex));
    }

    /**
     * What a follower is told to be the leader's first entry.
     *
     * @param nextIndex first entry the follower lacks
     * @param firstIndex first entry of the leader's log
     * @param appliedIndex last entry in the leader's rows
     */
    static long copyReaches(long nextIndex, long firstIndex, long appliedIndex) {
        return nextIndex == firstIndex && appliedIndex >= firstIndex ? firstIndex + 1 : firstIndex;
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
                getPrevious(follower.getNextIndex()) != null,
                owedCopy);
    }

    /**
     * Whether entries may be sent where Ratis would have a copy installed.
     *
     * @param nextIndex first entry the follower lacks
     * @param snapshotIndex last entry of its copy; -1: none
     * @param startIndex first entry of the leader's log; -1: none
     * @param previousKnown whether the leader knows the term of the entry before the first that the
     *     follower lacks: that one is in no log where a range begins, and once the leader's rows
     *     are flushed beyond it, nowhere. A follower refuses entries that follow nothing
     * @param owedCopy whether it is a new member that has not been offered a copy yet
     */
    static boolean canAppend(
            long nextIndex,
            long snapshotIndex,
            long startIndex,
            boolean previousKnown,
            boolean owedCopy) {
        return !owedCopy
                && previousKnown
                && startIndex >= 0
                && nextIndex >= startIndex
                && snapshotIndex + 1 == nextIndex;
    }
}
