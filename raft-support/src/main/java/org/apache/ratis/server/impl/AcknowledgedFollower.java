package org.apache.ratis.server.impl;

import io.parterre.raftlink.UnansweredEntries;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.util.Timestamp;

/**
 * A leader's {@code FollowerInfo} of one follower, except that a call counts for the lease only if
 * the follower took it. Thread-safe as Ratis's own.
 *
 * <p>Ratis 3.3.0 notes a call's send time before it looks at the answer. A leader that was paused
 * learns from the answer to its first call that another member leads. With Ratis alone, that answer
 * would give the leader a valid lease until it has stepped down, and it would serve stale reads.
 */
public final class AcknowledgedFollower extends FollowerInfoImpl {
    private final FollowerInfoImpl noted;
    private final Runnable onTaken;
    private final ErrorState errors = new Errors();
    private final UnansweredEntries unanswered = new UnansweredEntries();

    /** Send time of the call whose answer this thread handles, until the answer is a success. */
    private final ThreadLocal<Timestamp> sent = new ThreadLocal<>();

    /** Set while this thread handles an answer, until the answer is counted. */
    private final ThreadLocal<Boolean> answered = new ThreadLocal<>();

    private volatile Runnable onBroken = () -> {};
    private volatile LongSupplier committed = () -> RaftLog.INVALID_LOG_INDEX;

    // Guarded by this.
    private boolean repeating;

    private AcknowledgedFollower(FollowerInfoImpl noted, Runnable onTaken) {
        super(null, noted.getPeer(), id -> noted.getPeer(), Timestamp.currentTime(), 0, false);
        this.noted = noted;
        this.onTaken = onTaken;
    }

    /**
     * Wraps the leader's own {@code FollowerInfo}, to which every other call passes.
     *
     * @param onTaken runs after each call that the follower took; must not block
     */
    public static AcknowledgedFollower of(FollowerInfo noted, Runnable onTaken) {
        if (noted instanceof FollowerInfoImpl own) {
            return new AcknowledgedFollower(own, onTaken);
        }
        // The lease could not be relied on.
        throw new IllegalArgumentException("follower: " + noted.getClass());
    }

    /** Keeps the time for this thread. Ratis calls this for each answer, before the result. */
    @Override
    public void updateLastRespondedAppendEntriesSendTime(Timestamp sendTime) {
        sent.set(sendTime);
    }

    /** Ratis calls this for each success, and only then. */
    @Override
    public boolean updateMatchIndex(long newMatchIndex) {
        Timestamp taken = sent.get();
        if (taken != null) {
            sent.remove();
            // Answers to heartbeats overtake those to entries; the later time stays true.
            if (taken.compareTo(noted.getLastRespondedAppendEntriesSendTime()) > 0) {
                noted.updateLastRespondedAppendEntriesSendTime(taken);
            }
            onTaken.run();
        }
        unanswered.acknowledged(newMatchIndex);
        // Not before: the appender would repeat what this very answer acknowledges.
        unanswered.answered();
        return noted.updateMatchIndex(newMatchIndex);
    }

    /** Runs from now on after each call that failed without an answer; must not block. */
    public void onBroken(Runnable task) {
        onBroken = task;
    }

    /**
     * Has the follower's commit index count as an acknowledgement where that one was lost.
     *
     * @param index the leader's own commit index, of the same entries as the follower's; up to it
     *     an acknowledgement commits nothing
     */
    public void countCommitted(LongSupplier index) {
        committed = index;
    }

    /** Entries that were sent to the follower and that it has not acknowledged. */
    public UnansweredEntries unanswered() {
        return unanswered;
    }

    /** Counts errors, and tells those that are no answer of the follower. */
    private final class Errors implements ErrorState {
        @Override
        public int getErrorCountToDelay() {
            return noted.getErrorState().getErrorCountToDelay();
        }

        @Override
        public int updateErrorCount(boolean isError) {
            boolean answer = answered.get() != null;
            answered.remove();
            int count = noted.getErrorState().updateErrorCount(isError);
            if (isError && !answer) {
                unanswered.broken();
                onBroken.run();
            }
            return count;
        }
    }

    /**
     * The follower's log ends before entries that it had acknowledged. From now on the follower
     * counts for no entry that it lacks, and gets those entries again. Ratis 3.3.0 never lowers a
     * match index, and for ever sends entries that follow entries which the follower lacks
     * (RATIS-2523).
     *
     * @param lastIndex last entry of the follower's log
     */
    public void regress(long lastIndex) {
        noted.setSnapshotIndex(lastIndex);
    }

    @Override
    public Timestamp getLastRespondedAppendEntriesSendTime() {
        return noted.getLastRespondedAppendEntriesSendTime();
    }

    @Override
    public String getName() {
        return noted.getName();
    }

    @Override
    public RaftPeerId getId() {
        return noted.getId();
    }

    @Override
    public RaftPeer getPeer() {
        return noted.getPeer();
    }

    @Override
    public long getMatchIndex() {
        return noted.getMatchIndex();
    }

    @Override
    public long getCommitIndex() {
        return noted.getCommitIndex();
    }

    @Override
    public boolean updateCommitIndex(long newCommitIndex) {
        // A late answer may tell what another leader has committed.
        long sameEntries = Math.min(newCommitIndex, committed.getAsLong());
        if (unanswered.committed(sameEntries)) {
            noted.updateMatchIndex(sameEntries);
        }
        return noted.updateCommitIndex(newCommitIndex);
    }

    @Override
    public long getSnapshotIndex() {
        return noted.getSnapshotIndex();
    }

    @Override
    public void setSnapshotIndex(long newSnapshotIndex) {
        unanswered.acknowledged(newSnapshotIndex);
        noted.setSnapshotIndex(newSnapshotIndex);
    }

    @Override
    public void setAttemptedToInstallSnapshot() {
        noted.setAttemptedToInstallSnapshot();
    }

    @Override
    public boolean hasAttemptedToInstallSnapshot() {
        return noted.hasAttemptedToInstallSnapshot();
    }

    @Override
    public long getNextIndex() {
        return noted.getNextIndex();
    }

    /**
     * Lowers the next index, and keeps it there until entries are sent or {@link #endRepeat}. Ratis
     * raises it with each acknowledgement, on another thread than the one that reads entries from
     * it on; a late acknowledgement in between would fail the appender.
     */
    public synchronized void beginRepeat(long nextIndex) {
        repeating = true;
        noted.setNextIndex(nextIndex);
    }

    /** No entries are sent after {@link #beginRepeat}. */
    public synchronized void endRepeat() {
        repeating = false;
    }

    /** Ratis calls this with what was sent. */
    @Override
    public synchronized void increaseNextIndex(long newNextIndex) {
        repeating = false;
        noted.increaseNextIndex(newNextIndex);
    }

    @Override
    public void decreaseNextIndex(long newNextIndex) {
        noted.decreaseNextIndex(newNextIndex);
    }

    @Override
    public void setNextIndex(long newNextIndex) {
        noted.setNextIndex(newNextIndex);
    }

    /** Raises the next index to one behind an acknowledged entry, or behind a copy. */
    @Override
    public synchronized void updateNextIndex(long newNextIndex) {
        if (!repeating) {
            noted.updateNextIndex(newNextIndex);
        }
    }

    @Override
    public void computeNextIndex(LongUnaryOperator op) {
        noted.computeNextIndex(op);
    }

    @Override
    public Timestamp getLastRpcResponseTime() {
        return noted.getLastRpcResponseTime();
    }

    /** Ratis calls this for each answer, right before it counts the answer. */
    @Override
    public void updateLastRpcResponseTime() {
        answered.set(true);
        noted.updateLastRpcResponseTime();
    }

    @Override
    public Timestamp getLastRpcSendTime() {
        return noted.getLastRpcSendTime();
    }

    @Override
    public void updateLastRpcSendTime(boolean isHeartbeat) {
        noted.updateLastRpcSendTime(isHeartbeat);
    }

    @Override
    public Timestamp getLastRpcTime() {
        return noted.getLastRpcTime();
    }

    @Override
    public Timestamp getLastHeartbeatSendTime() {
        return noted.getLastHeartbeatSendTime();
    }

    @Override
    public ErrorState getErrorState() {
        return errors;
    }

    @Override
    void catchUp() {
        noted.catchUp();
    }

    @Override
    boolean isCaughtUp() {
        return noted.isCaughtUp();
    }

    @Override
    public String toString() {
        return noted.toString();
    }
}
