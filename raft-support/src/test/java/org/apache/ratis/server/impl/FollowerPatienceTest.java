package org.apache.ratis.server.impl;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.ratis.server.impl.FollowerPatience.Rank;
import org.junit.jupiter.api.Test;

/** Which part of the time each follower has to itself. */
final class FollowerPatienceTest {
    @Test
    void electionDelayStaysBetweenShortestAndLongestTimeout() {
        for (int followers = 1; followers <= 6; followers++) {
            for (int place = 0; place < followers; place++) {
                Rank rank = new Rank(place, followers);
                assertThat(rank.pick(800, 1_200, 0)).isBetween(800L, 1_200L);
                assertThat(rank.pick(800, 1_200, 1)).isBetween(800L, 1_200L);
            }
        }
    }

    @Test
    void electionDelaysOfFollowersDoNotOverlap() {
        Rank first = new Rank(0, 2);
        Rank second = new Rank(1, 2);
        assertThat(first.pick(800, 1_200, 0)).isEqualTo(800);
        assertThat(first.pick(800, 1_200, 0.5)).isEqualTo(900);
        assertThat(first.pick(800, 1_200, 1)).isEqualTo(1_000);
        assertThat(second.pick(800, 1_200, 0)).isEqualTo(1_000);
        assertThat(second.pick(800, 1_200, 1)).isEqualTo(1_200);
    }

    @Test
    void onlyFollowerGetsTheWholeInterval() {
        assertThat(new Rank(0, 1).pick(800, 1_200, 0)).isEqualTo(800);
        assertThat(new Rank(0, 1).pick(800, 1_200, 1)).isEqualTo(1_200);
    }

    @Test
    void followerStandsAtEndOfLease_whenLeaderIsLost() {
        assertThat(new LostLeader(10, 250).standInMillis(0, 50)).isEqualTo(250);
        assertThat(new LostLeader(260, 0).standInMillis(0, 300)).isEqualTo(0);
    }

    @Test
    void leaderThatReconnectsSoonIsNotLost_thoughLeaseIsOver() {
        assertThat(new LostLeader(10, 0).standInMillis(0, 350)).isEqualTo(90);
    }

    @Test
    void followersOfLostLeaderStandApart() {
        assertThat(new LostLeader(10, 250).standInMillis(1, 50)).isEqualTo(350);
    }

    @Test
    void followerLeavesTimeToCandidate_afterItGrantedPreVote() {
        assertThat(new LostLeader(260, 0).standInMillis(1, 20)).isEqualTo(380);
    }

    @Test
    void followerWaitsLonger_afterItVotedForAnother() {
        assertThat(FollowerPatience.afterVoteMillis(800, 1_200, 0)).isEqualTo(2_000);
        assertThat(FollowerPatience.afterVoteMillis(800, 1_200, 1)).isEqualTo(2_400);
    }
}
