package org.apache.ratis.server.impl;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;

/**
 * A leader whose last connection to its follower was closed: its process has most likely ended.
 * Immutable.
 *
 * @param lostForMillis time since the connection was closed
 * @param leaseLeftMillis time until the leader's lease ends; 0: it has ended
 */
public record LostLeader(long lostForMillis, long leaseLeftMillis) {
    /**
     * Time in which a leader that lives opens another connection and is heard again. It matters to
     * groups whose lease is over, as after a heartbeat of long ago.
     */
    private static final long RETURN_MILLIS = 100;

    /** Time between two followers of the leader, so that the second one votes for the first. */
    private static final long SPACING_MILLIS = 100;

    /** Time that a member which has granted a pre-vote leaves to the candidate. */
    private static final long GRANTED_MILLIS = 300;

    /** From nanoseconds; the time that is left is rounded up. */
    public static LostLeader ofNanos(long lostForNanos, long leaseLeftNanos) {
        return new LostLeader(
                TimeUnit.NANOSECONDS.toMillis(lostForNanos),
                Math.max(0, TimeUnit.NANOSECONDS.toMillis(leaseLeftNanos + 999_999)));
    }

    /**
     * Time until a follower stands for election instead of waiting for its timeout.
     *
     * @param place of the follower among the leader's followers
     * @param newsMillis time since the last append or granted vote
     * @return 0 or less: now
     */
    long standInMillis(int place, long newsMillis) {
        // News since the end of the connection is another candidate's.
        long granted = newsMillis < lostForMillis ? GRANTED_MILLIS - newsMillis : 0;
        return Math.max(Math.max(leaseLeftMillis, RETURN_MILLIS - lostForMillis), granted)
                + place * SPACING_MILLIS;
    }

    /** The other member that this server's member of the group follows. */
    public static Optional<RaftPeerId> followed(RaftServer server, RaftGroupId groupId)
            throws IOException {
        return server.getDivision(groupId) instanceof RaftServerImpl division
                        && division.getInfo().isFollower()
                ? Optional.ofNullable(division.getState().getLeaderId())
                : Optional.empty();
    }

    /**
     * Has a follower know no leader any more, unless it follows another one by now. Ratis refuses
     * pre-votes while a leader was heard within the election timeout. Any append of the leader has
     * it known again. The term stays, and so does the vote.
     */
    public static void giveUp(RaftServer server, RaftGroupId groupId, RaftPeerId leader)
            throws IOException {
        if (server.getDivision(groupId) instanceof RaftServerImpl division) {
            synchronized (division) {
                if (division.getInfo().isFollower()
                        && leader.equals(division.getState().getLeaderId())) {
                    division.getState().setLeader(null, "lost connection");
                }
            }
        }
    }
}
