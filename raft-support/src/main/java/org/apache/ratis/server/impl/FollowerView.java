package org.apache.ratis.server.impl;

import java.util.List;
import org.apache.ratis.server.RaftServer;

/**
 * A leader's knowledge of one follower. {@code DivisionInfo} of Ratis 3.3.0 returns the parts in
 * separate lists without ids, which can change between two calls.
 *
 * @param peerId id of the follower
 * @param matchIndex last entry in which the follower's log agrees with the leader's; -1: not known
 * @param silentMillis time since the follower's last answer
 */
public record FollowerView(String peerId, long matchIndex, long silentMillis) {
    /** Returns all followers of the division; none if the division does not lead. Never blocks. */
    public static List<FollowerView> of(RaftServer.Division division) {
        if (!(division instanceof RaftServerImpl server)) {
            return List.of();
        }
        return server.getRole()
                .getLeaderState()
                .map(
                        leader ->
                                leader.getLogAppenders()
                                        .map(each -> of(each.getFollower()))
                                        .toList())
                .orElse(List.of());
    }

    private static FollowerView of(org.apache.ratis.server.leader.FollowerInfo follower) {
        return new FollowerView(
                follower.getId().toString(),
                follower.getMatchIndex(),
                follower.getLastRpcResponseTime().elapsedTimeMs());
    }
}
