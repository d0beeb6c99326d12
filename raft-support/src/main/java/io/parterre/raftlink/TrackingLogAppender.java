package io.parterre.raftlink;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.impl.AcknowledgedFollower;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLogIOException;
import org.apache.ratis.thirdparty.com.google.protobuf.UnknownFieldSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends to one follower, with five corrections of Ratis 3.3.0:
 *
 * <ul>
 *   <li>A follower whose copy ends right before the leader's first entry gets entries. Ratis
 *       requires the entry before the first entry that it sends, or a snapshot of exactly that
 *       index. A store's snapshot has moved on by then, so Ratis would ask the follower to install
 *       again for ever (RATIS-2500). The follower itself accepts such entries.
 *   <li>Only calls that the follower accepted count for the leader's lease ({@link
 *       AcknowledgedFollower}).
 *   <li>Each call states the leader's lease ({@link LeaseClaim}).
 *   <li>A follower whose log ends before an entry that it had acknowledged is noticed.
 *   <li>Quiet groups of this node send their heartbeats to one other node together ({@link
 *       HeartbeatSchedule}).
 * </ul>
 *
 * <p>The group's state machine must be a {@link FollowerListener}.
 */
final class TrackingLogAppender extends ReturningLogAppender {
    private static final Logger LOG = LoggerFactory.getLogger(TrackingLogAppender.class);

    private final HeartbeatSchedule heartbeats;
    private final AcknowledgedFollower follower;
    private final UnknownFieldSet leaseClaim;

    /** The follower's latest claim to lack acknowledged entries. */
    private volatile Lack lack = Lack.NONE;

    TrackingLogAppender(
            RaftServer.Division server, LeaderState state, FollowerInfo follower, Duration lease) {
        this(
                server,
                state,
                AcknowledgedFollower.of(
                        follower, ((FollowerListener) server.getStateMachine())::followerTook),
                lease);
    }

    private TrackingLogAppender(
            RaftServer.Division server,
            LeaderState state,
            AcknowledgedFollower follower,
            Duration lease) {
        super(server, state, follower);
        this.follower = follower;
        this.leaseClaim = LeaseClaim.field(lease);
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
            // Entries replace heartbeats; a heartbeat between entries would delay them.
            return due;
        }
        return heartbeats.waitMillis(
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
                due,
                getFollower().getLastHeartbeatSendTime().elapsedTimeMs());
    }

    @Override
    public AppendEntriesRequestProto newAppendEntriesRequest(long callId, boolean heartbeat)
            throws RaftLogIOException {
        AppendEntriesRequestProto append = super.newAppendEntriesRequest(callId, heartbeat);
        return append == null ? null : LeaseClaim.stated(append, leaseClaim);
    }

    private FollowerListener listener() {
        return (FollowerListener) getServer().getStateMachine();
    }

    /**
     * Returns the next entry to send after the follower lacked the entry before those sent. A
     * follower whose log ends before an entry that it had acknowledged no longer counts for the
     * entries that it lacks.
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
     * A follower's claim that its log ends before an entry that it had acknowledged. No
     * acknowledged entry is cut off under one leader. Calls use several streams, however, so an
     * answer made before an acknowledgement may arrive after it. The claim therefore counts only if
     * the follower repeats it later than any such answer can arrive, with nothing acknowledged
     * meanwhile.
     *
     * @param acknowledged last entry that the follower had acknowledged; 0: no claim
     * @param sinceNanos time of the first such answer
     */
    record Lack(long acknowledged, long sinceNanos) {
        static final Lack NONE = new Lack(0, 0);

        /** Ratis gives up a call without an answer after this time. */
        private static final long CALL_NANOS_MAX = TimeUnit.SECONDS.toNanos(3);

        /**
         * Returns the claim after another answer that the follower lacks the entry before those
         * sent.
         *
         * @param acknowledgedNow last entry that the follower had acknowledged; 0 or less: none
         * @param next first entry that the follower lacks, by its answer
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
     * Returns the entry up to which a copy has to reach. A follower that holds everything before
     * the leader's first entry answers that it is installed already, and gets no copy. If the
     * leader cannot append either, because it no longer knows the entry before its first, the copy
     * has to include the first entry. The leader's rows include it: if the leader had not applied
     * the first entry, the leader's snapshot would be the entry before.
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
     * Returns the first entry of the leader's log in the form that the follower is told.
     *
     * @param nextIndex first entry that the follower lacks
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
     * Returns whether the leader may send entries where Ratis would ask for an install.
     *
     * @param nextIndex first entry that the follower lacks
     * @param snapshotIndex last entry of the follower's copy; -1: none
     * @param startIndex first entry of the leader's log; -1: none
     * @param previousKnown whether the leader knows the term of the entry before {@code nextIndex}.
     *     At the start of a range that entry is in no log. Once the leader's rows are flushed
     *     beyond it, nothing holds its term. A follower refuses entries without a known predecessor
     * @param owedCopy whether the follower is a new member that has not been offered a copy yet
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
