package io.parterre.raftlink;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.raftlink.LinkRenewal.Leaderless;
import io.parterre.raftlink.LinkRenewal.Led;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.ratis.protocol.RaftPeerId;
import org.junit.jupiter.api.Test;

class LinkRenewalTest {
    private static final RaftPeerId A = RaftPeerId.valueOf("a");
    private static final RaftPeerId B = RaftPeerId.valueOf("b");
    private static final LinkRenewal RENEWAL = LinkRenewal.of(Duration.ofSeconds(2));
    private static final Function<RaftPeerId, Duration> NEVER = node -> Duration.ofDays(1);

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }

    @Test
    void followerConnectionIsRenewed_whenReplyIsOverdue() {
        assertThat(
                        RENEWAL.due(
                                List.of(new Led(Map.of(A, seconds(10), B, seconds(9)))),
                                List.of(),
                                NEVER))
                .containsExactly(A);
    }

    @Test
    void voterConnectionIsRenewedSooner_whileGroupHasNoLeader() {
        assertThat(
                        RENEWAL.due(
                                List.of(),
                                List.of(
                                        new Leaderless(Set.of(A), seconds(7)),
                                        new Leaderless(Set.of(B), seconds(8))),
                                NEVER))
                .containsExactly(B);
    }

    @Test
    void connectionIsKept_whileItWorksForOneGroup() {
        Led healthy = new Led(Map.of(A, seconds(1)));
        assertThat(
                        RENEWAL.due(
                                List.of(healthy, new Led(Map.of(A, seconds(60), B, seconds(60)))),
                                List.of(new Leaderless(Set.of(A, B), seconds(60))),
                                NEVER))
                .containsExactly(B);
    }

    @Test
    void newConnectionGetsTheFullTimeout_beforeNextRenewal() {
        List<Led> led = List.of(new Led(Map.of(A, seconds(60))));
        List<Leaderless> leaderless = List.of(new Leaderless(Set.of(B), seconds(60)));
        assertThat(RENEWAL.due(led, leaderless, node -> seconds(7))).isEmpty();
        assertThat(RENEWAL.due(led, leaderless, node -> seconds(8))).containsExactly(B);
        assertThat(RENEWAL.due(led, leaderless, node -> seconds(10))).containsExactly(A, B);
    }
}
