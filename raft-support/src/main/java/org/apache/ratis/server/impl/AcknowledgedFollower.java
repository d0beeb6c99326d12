package org.apache.ratis.server.impl;

import java.util.function.LongUnaryOperator;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.util.Timestamp;

/**
 * What a leader notes of a follower, except that a call counts for the lease only if the follower
 * took it. Thread-safe as Ratis's own.
 *
 * <p>Ratis 3.3.0 notes when a call was sent before it looks at what was answered: a leader that was
 * paused, and is told in answer to its first call that another one leads by now, would have a valid
 * lease from that answer until it has stepped down, and would answer reads from before the pause.
 */
public final class AcknowledgedFollower extends FollowerInfoImpl {
    private final FollowerInfoImpl noted;

    /** Of the call whose answer this thread looks at, until it turns out to be a success. */
    private final ThreadLocal<Timestamp> sent = new ThreadLocal<>();

    private AcknowledgedFollower(FollowerInfoImpl noted) {
        super(null, noted.getPeer(), id -> noted.getPeer(), Timestamp.currentTime(), 0, false);
        this.noted = noted;
    }

    /** Of the leader's own notes of this follower, which everything goes to. */
    public static AcknowledgedFollower of(FollowerInfo noted) {
        if (noted instanceof FollowerInfoImpl own) {
            return new AcknowledgedFollower(own);
        }
        // Its lease could not be relied on.
        throw new IllegalArgumentException("follower: " + noted.getClass());
    }

    /** Notes it on this thread alone; comes before {@link #updateMatchIndex}, if that comes. */
    @Override
    public void updateLastRespondedAppendEntriesSendTime(Timestamp sendTime) {
        sent.set(sendTime);
    }

    /** Comes with each success, and with nothing else. */
    @Override
    public boolean updateMatchIndex(long newMatchIndex) {
        Timestamp taken = sent.get();
        if (taken != null) {
            sent.remove();
            noted.updateLastRespondedAppendEntriesSendTime(taken);
        }
        return noted.updateMatchIndex(newMatchIndex);
    }

    /**
     * Its log ends here, before entries that it had acknowledged. It counts for no entry that it
     * lacks from now on, and gets those entries again: Ratis 3.3.0 never lowers what a follower
     * counts for, and asks it for ever to append behind entries that it does not have.
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
        return noted.updateCommitIndex(newCommitIndex);
    }

    @Override
    public long getSnapshotIndex() {
        return noted.getSnapshotIndex();
    }

    @Override
    public void setSnapshotIndex(long newSnapshotIndex) {
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

    @Override
    public void increaseNextIndex(long newNextIndex) {
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

    @Override
    public void updateNextIndex(long newNextIndex) {
        noted.updateNextIndex(newNextIndex);
    }

    @Override
    public void computeNextIndex(LongUnaryOperator op) {
        noted.computeNextIndex(op);
    }

    @Override
    public Timestamp getLastRpcResponseTime() {
        return noted.getLastRpcResponseTime();
    }

    @Override
    public void updateLastRpcResponseTime() {
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
        return noted.getErrorState();
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
