package org.apache.ratis.server.impl;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.util.Timestamp;

/**
 * Confirms leadership: a majority accepts a message that the leader has sent after some moment, as
 * for the read index of Raft. Ratis 3.3.0 offers this check for its own reads only, and may skip
 * it. Times are in nanoseconds of Ratis's clock. Stateless; safe for any thread; never blocks.
 */
public final class LeadershipConfirmation {
    private LeadershipConfirmation() {}

    /** Returns the current time of the clock that the rounds use. */
    public static long nowNanos() {
        return Timestamp.currentTimeNanos();
    }

    /**
     * Makes the leader send a heartbeat to all followers at once, which also tells them the commit
     * index. Ratis 3.3.0 sends the index with the next entry, or with the next heartbeat of a quiet
     * group, hundreds of milliseconds later. Does nothing in any other member.
     */
    public static void ask(RaftServer.Division division) {
        if (division instanceof RaftServerImpl server) {
            server.getRole()
                    .getLeaderState()
                    .ifPresent(
                            leader ->
                                    leader.getLogAppenders()
                                            .forEach(LogAppender::triggerHeartbeat));
        }
    }

    /**
     * Returns the send time of the latest round that a majority has accepted. The division led at
     * that time, and has applied everything that was acknowledged before. Empty: the division does
     * not lead, or has not applied the first entry of its term.
     */
    public static OptionalLong takenNanos(RaftServer.Division division) {
        return division instanceof RaftServerImpl server
                ? server.getRole()
                        .getLeaderState()
                        .filter(LeaderStateImpl::isReady)
                        .map(leader -> takenNanos(server, leader))
                        .orElse(OptionalLong.empty())
                : OptionalLong.empty();
    }

    private static OptionalLong takenNanos(RaftServerImpl server, LeaderStateImpl leader) {
        // Read first, so that an error makes the send time too early rather than too late.
        long nowNanos = nowNanos();
        RaftConfigurationImpl members = server.getRaftConf();
        if (members.isSingleton()) {
            return OptionalLong.of(nowNanos);
        }
        List<RaftPeerId> taken = new ArrayList<>();
        for (FollowerInfo follower : latestFirst(leader.getLogAppenders())) {
            taken.add(follower.getId());
            if (members.hasMajority(taken, server.getId())) {
                return OptionalLong.of(
                        nowNanos
                                - follower.getLastRespondedAppendEntriesSendTime()
                                        .elapsedTime()
                                        .toLong(TimeUnit.NANOSECONDS));
            }
        }
        return OptionalLong.empty();
    }

    private static List<FollowerInfo> latestFirst(Stream<LogAppender> appenders) {
        // The sort needs copies, because the times change meanwhile.
        record Sent(FollowerInfo follower, Timestamp at) {}
        return appenders
                .map(LogAppender::getFollower)
                .map(each -> new Sent(each, each.getLastRespondedAppendEntriesSendTime()))
                .sorted(Comparator.comparing(Sent::at).reversed())
                .map(Sent::follower)
                .toList();
    }
}
