package org.apache.ratis.server.impl;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;

/**
 * A leader whose last connection to its follower was closed. The leader's process has most likely
 * ended. Immutable.
 *
 * @param lostForMillis time since the connection was closed
 * @param leaseLeftMillis time until the leader's lease ends; 0: it has ended
 */
public record LostLeader(long lostForMillis, long leaseLeftMillis) {
    /**
     * Time within which a live leader opens another connection and sends again. The time matters to
     * groups whose lease is over, for example because their last heartbeat was long ago.
     */
    private static final long RETURN_MILLIS = 100;

    /**
     * Time between the candidacies of two followers, so that the second one votes for the first.
     */
    private static final long SPACING_MILLIS = 100;

    /** Time for which a member that has granted a pre-vote waits for the candidate. */
    private static final long GRANTED_MILLIS = 300;

    /** Converts nanoseconds to milliseconds; rounds the rest of the lease up. */
    public static LostLeader ofNanos(long lostForNanos, long leaseLeftNanos) {
        return new LostLeader(
                TimeUnit.NANOSECONDS.toMillis(lostForNanos),
                Math.max(0, TimeUnit.NANOSECONDS.toMillis(leaseLeftNanos + 999_999)));
    }

    /**
     * Returns the milliseconds until a follower becomes a candidate instead of waiting for its
     * timeout.
     *
     * @param place the follower's place among the leader's followers
     * @param newsMillis time since the last append or granted vote
     * @return 0 or less: now
     */
    long standInMillis(int place, long newsMillis) {
        // A message after the end of the connection came from another candidate.
        long granted = newsMillis < lostForMillis ? GRANTED_MILLIS - newsMillis : 0;
        return Math.max(Math.max(leaseLeftMillis, RETURN_MILLIS - lostForMillis), granted)
                + place * SPACING_MILLIS;
    }

    /**
     * Returns the other member that this server's member of the group follows; empty if there is
     * none.
     */
    public static Optional<RaftPeerId> followed(RaftServer server, RaftGroupId groupId)
            throws IOException {
        return server.getDivision(groupId) instanceof RaftServerImpl division
                        && division.getInfo().isFollower()
                ? Optional.ofNullable(division.getState().getLeaderId())
                : Optional.empty();
    }

    /**
     * Makes a follower forget this leader, unless the follower has another leader by now. Ratis
     * refuses pre-votes while a leader was heard within the election timeout. Any append of the
     * leader makes it known again. The term and the vote stay.
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
