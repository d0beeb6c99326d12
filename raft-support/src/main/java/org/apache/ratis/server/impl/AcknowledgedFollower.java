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
 * the follower accepted the call. Thread-safe as Ratis's own.
 *
 * <p>Ratis 3.3.0 records a call's send time before it reads the answer. A leader that was paused
 * learns from the answer to its first call that another member leads. With Ratis alone, that answer
 * would give the old leader a valid lease until it has stepped down, and the old leader would serve
 * stale reads.
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

    // Whether the next index is kept low for a repeat. Guarded by this.
    private boolean repeating;

    private AcknowledgedFollower(FollowerInfoImpl noted, Runnable onTaken) {
        super(null, noted.getPeer(), id -> noted.getPeer(), Timestamp.currentTime(), 0, false);
        this.noted = noted;
        this.onTaken = onTaken;
    }

    /**
     * Wraps the leader's own {@code FollowerInfo}, to which every other method delegates.
     *
     * @param onTaken runs after each call that the follower accepted; must not block
     * @throws IllegalArgumentException if the object is not of Ratis's own class
     */
    public static AcknowledgedFollower of(FollowerInfo noted, Runnable onTaken) {
        if (noted instanceof FollowerInfoImpl own) {
            return new AcknowledgedFollower(own, onTaken);
        }
        // Without Ratis's own class the lease could not be relied on.
        throw new IllegalArgumentException("follower: " + noted.getClass());
    }

    /**
     * Keeps the send time for this thread. Ratis calls this method for each answer, before it
     * handles the result.
     */
    @Override
    public void updateLastRespondedAppendEntriesSendTime(Timestamp sendTime) {
        sent.set(sendTime);
    }

    /** Ratis calls this method for each success, and only then. */
    @Override
    public boolean updateMatchIndex(long newMatchIndex) {
        Timestamp taken = sent.get();
        if (taken != null) {
            sent.remove();
            // Answers to heartbeats overtake answers to entries. The later send time stays valid.
            if (taken.compareTo(noted.getLastRespondedAppendEntriesSendTime()) > 0) {
                noted.updateLastRespondedAppendEntriesSendTime(taken);
            }
            onTaken.run();
        }
        unanswered.acknowledged(newMatchIndex);
        // Must not come earlier: the appender would repeat the entries that this answer
        // acknowledges.
        unanswered.answered();
        return noted.updateMatchIndex(newMatchIndex);
    }

    /**
     * Sets the task that runs after each call that failed without an answer. The task must not
     * block.
     */
    public void onBroken(Runnable task) {
        onBroken = task;
    }

    /**
     * Makes the follower's commit index count as an acknowledgement where the acknowledgement was
     * lost.
     *
     * @param index the leader's own commit index, which covers the same entries as the follower's;
     *     an acknowledgement up to this index commits nothing new
     */
    public void countCommitted(LongSupplier index) {
        committed = index;
    }

    /**
     * Returns the entries that were sent to the follower and that the follower has not
     * acknowledged.
     */
    public UnansweredEntries unanswered() {
        return unanswered;
    }

    /** Counts errors, and reports the errors that are no answer of the follower. */
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
     * Records that the follower's log ends before entries that the follower had acknowledged. The
     * follower no longer counts for entries that it lacks, and gets those entries again. Ratis
     * 3.3.0 never lowers a match index. It keeps sending entries whose predecessors the follower
     * lacks (RATIS-2523).
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
        // A late answer may state what another leader has committed.
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
     * Lowers the next index, and keeps it low until entries are sent or {@link #endRepeat} is
     * called. Ratis raises the next index with each acknowledgement, on another thread than the
     * thread that reads entries from that index on. A late acknowledgement in between would fail
     * the appender.
     */
    public synchronized void beginRepeat(long nextIndex) {
        repeating = true;
        noted.setNextIndex(nextIndex);
    }

    /** Ends {@link #beginRepeat} if no entries are sent. */
    public synchronized void endRepeat() {
        repeating = false;
    }

    /** Ratis calls this method after it has sent entries. */
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

    /**
     * Raises the next index to the entry after an acknowledged entry, or after a copy. Does nothing
     * during a repeat.
     */
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

    /** Ratis calls this method for each answer, right before it counts the answer. */
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
