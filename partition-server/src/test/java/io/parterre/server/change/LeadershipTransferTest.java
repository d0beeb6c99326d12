package io.parterre.server.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.range.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LeadershipTransferTest {
    private static final NodeId TARGET = new NodeId("b");
    private static final Duration SILENT_MAX = Duration.ofSeconds(1);

    private static LeadershipTransfer.Verdict of(long matchIndex, long silentMillis) {
        List<FollowerState> followers =
                List.of(
                        new FollowerState(new NodeId("a"), 1000, Duration.ZERO),
                        new FollowerState(TARGET, matchIndex, Duration.ofMillis(silentMillis)));
        return LeadershipTransfer.of(TARGET, followers, 1000, SILENT_MAX);
    }

    @Test
    void leadershipTransferIsReady_whenTargetIsCaughtUpAndHeard() {
        assertThat(of(1000, 0)).isEqualTo(LeadershipTransfer.Verdict.READY);
        assertThat(of(900, 1000)).isEqualTo(LeadershipTransfer.Verdict.READY);
    }

    @Test
    void leadershipTransferIsRejected_whenTargetIsBehindOrSilent() {
        assertThat(of(899, 0)).isEqualTo(LeadershipTransfer.Verdict.BEHIND);
        assertThat(of(-1, 0)).isEqualTo(LeadershipTransfer.Verdict.BEHIND);
        assertThat(of(1000, 1001)).isEqualTo(LeadershipTransfer.Verdict.SILENT);
    }

    @Test
    void leadershipTransferIsRejected_whenTargetIsNotMember() {
        assertThat(LeadershipTransfer.of(TARGET, List.of(), 0, SILENT_MAX))
                .isEqualTo(LeadershipTransfer.Verdict.NOT_A_MEMBER);
    }

    @Test
    void failedLeadershipTransferIsRetried_untilDeadline() {
        assertThat(LeadershipTransfer.next(TARGET, true, Optional.empty(), true))
                .isEqualTo(LeadershipTransfer.Next.AGAIN);
        assertThat(LeadershipTransfer.next(TARGET, true, Optional.empty(), false))
                .isEqualTo(LeadershipTransfer.Next.GIVE_UP);
    }

    @Test
    void leadershipTransferIsNotRetried_afterLeadershipIsLost() {
        assertThat(LeadershipTransfer.next(TARGET, false, Optional.empty(), true))
                .isEqualTo(LeadershipTransfer.Next.WAIT);
        assertThat(LeadershipTransfer.next(TARGET, false, Optional.of(TARGET), false))
                .isEqualTo(LeadershipTransfer.Next.DONE);
        assertThat(LeadershipTransfer.next(TARGET, false, Optional.of(new NodeId("c")), true))
                .isEqualTo(LeadershipTransfer.Next.GIVE_UP);
        assertThat(LeadershipTransfer.next(TARGET, false, Optional.empty(), false))
                .isEqualTo(LeadershipTransfer.Next.GIVE_UP);
    }
}
