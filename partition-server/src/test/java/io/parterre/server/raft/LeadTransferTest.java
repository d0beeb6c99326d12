package io.parterre.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.range.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LeadTransferTest {
    private static final NodeId TARGET = new NodeId("b");
    private static final Duration SILENT_MAX = Duration.ofSeconds(1);

    private static LeadTransfer.Verdict of(long matchIndex, long silentMillis) {
        List<FollowerState> followers =
                List.of(
                        new FollowerState(new NodeId("a"), 1000, Duration.ZERO),
                        new FollowerState(TARGET, matchIndex, Duration.ofMillis(silentMillis)));
        return LeadTransfer.of(TARGET, followers, 1000, SILENT_MAX);
    }

    @Test
    void leadershipTransferIsReady_whenTargetIsCaughtUpAndHeard() {
        assertThat(of(1000, 0)).isEqualTo(LeadTransfer.Verdict.READY);
        assertThat(of(900, 1000)).isEqualTo(LeadTransfer.Verdict.READY);
    }

    @Test
    void leadershipTransferIsRejected_whenTargetIsBehindOrSilent() {
        assertThat(of(899, 0)).isEqualTo(LeadTransfer.Verdict.BEHIND);
        assertThat(of(-1, 0)).isEqualTo(LeadTransfer.Verdict.BEHIND);
        assertThat(of(1000, 1001)).isEqualTo(LeadTransfer.Verdict.SILENT);
    }

    @Test
    void leadershipTransferIsRejected_whenTargetIsNotMember() {
        assertThat(LeadTransfer.of(TARGET, List.of(), 0, SILENT_MAX))
                .isEqualTo(LeadTransfer.Verdict.NOT_A_MEMBER);
    }

    @Test
    void failedLeadershipTransferIsRetried_untilDeadline() {
        assertThat(LeadTransfer.next(TARGET, true, Optional.empty(), true))
                .isEqualTo(LeadTransfer.Next.AGAIN);
        assertThat(LeadTransfer.next(TARGET, true, Optional.empty(), false))
                .isEqualTo(LeadTransfer.Next.GIVE_UP);
    }

    @Test
    void leadershipTransferIsNotRetried_afterLeadershipIsLost() {
        assertThat(LeadTransfer.next(TARGET, false, Optional.empty(), true))
                .isEqualTo(LeadTransfer.Next.WAIT);
        assertThat(LeadTransfer.next(TARGET, false, Optional.of(TARGET), false))
                .isEqualTo(LeadTransfer.Next.DONE);
        assertThat(LeadTransfer.next(TARGET, false, Optional.of(new NodeId("c")), true))
                .isEqualTo(LeadTransfer.Next.GIVE_UP);
        assertThat(LeadTransfer.next(TARGET, false, Optional.empty(), false))
                .isEqualTo(LeadTransfer.Next.GIVE_UP);
    }
}
