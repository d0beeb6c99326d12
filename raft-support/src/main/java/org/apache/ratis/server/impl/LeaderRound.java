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
 * Confirms that a leader leads: a majority takes what the leader has sent after some moment, as for
 * the read index of Raft. Ratis 3.3.0 offers that for its own reads only, and may skip it. Times
 * are in nanoseconds of Ratis's clock. Stateless; safe for any thread; never blocks.
 */
public final class LeaderRound {
    private LeaderRound() {}

    /** The time by the clock of the rounds. */
    public static long nowNanos() {
        return Timestamp.currentTimeNanos();
    }

    /** Has the leader send to all followers at once; does nothing in any other member. */
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
     * Time of sending of the latest round that a majority has taken: the division led then, and has
     * applied everything that was acknowledged before. Empty: it does not lead, or has not applied
     * the first entry of its term.
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
        // First, so that a send time comes out too early rather than too late.
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
        // Copies: the times move on, and a sort needs them to stand still.
        record Sent(FollowerInfo follower, Timestamp at) {}
        return appenders
                .map(LogAppender::getFollower)
                .map(each -> new Sent(each, each.getLastRespondedAppendEntriesSendTime()))
                .sorted(Comparator.comparing(Sent::at).reversed())
                .map(Sent::follower)
                .toList();
    }
}
