package io.parterre.server.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.change.TransferDriver.State;
import io.parterre.server.command.Member;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TransferDriverTest {
    private static final RangeId RANGE = new RangeId(1);
    private static final NodeId SELF = new NodeId("a");
    private static final NodeId TARGET = new NodeId("b");
    private static final IOException FAILURE = new IOException("failure");
    private static final ChangeEvent NOT_TRANSFERRED = new ChangeEvent.NotTransferred(FAILURE);
    private static final long PAUSE_NANOS = Duration.ofMillis(50).toNanos();

    private final TransferDriver driver =
            new TransferDriver(RANGE, SELF, TARGET, Duration.ofSeconds(1), Duration.ofMillis(100));
    private State state = driver.initial();
    private ChangeDriver.Step<State> last;
    private long nowNanos = Long.MAX_VALUE - 500;
    private boolean leading = true;
    private Optional<NodeId> leader = Optional.of(SELF);
    private long targetIndex = 20;

    private List<ChangeEffect> on(ChangeEvent event) {
        RangeView view =
                new RangeView(
                        new HostedRange(
                                new RangeDescriptor(
                                        RANGE, KeyRange.ALL, new Generation(4), List.of(SELF)),
                                List.of(new Member(SELF, "a:1", "a:2"))),
                        leading,
                        leader,
                        20,
                        20,
                        List.of(new FollowerState(TARGET, targetIndex, Duration.ZERO)));
        last = driver.on(state, event, Map.of(RANGE, view), nowNanos);
        state = last.next();
        return last.effects().stream()
                .filter(effect -> !(effect instanceof ChangeEffect.Tell))
                .toList();
    }

    private void begin() {
        assertThat(on(new ChangeEvent.Begun()))
                .containsExactly(new ChangeEffect.Transfer(RANGE, TARGET));
    }

    private List<ChangeEffect> woken() {
        nowNanos = last.wakeAtNanos().orElseThrow();
        return on(new ChangeEvent.Woken());
    }

    private void leads(Optional<NodeId> other) {
        leading = false;
        leader = other;
    }

    @Test
    void leadershipIsTransferred() {
        begin();
        assertThat(on(new ChangeEvent.Transferred())).containsExactly(new ChangeEffect.End(true));
    }

    @Test
    void nothingIsTransferred_whenTargetIsBehind() {
        targetIndex = -1_000;
        assertThat(on(new ChangeEvent.Begun())).containsExactly(new ChangeEffect.End(false));
    }

    @Test
    void transferIsToldLast_sinceLogFileMayNotAnswer() {
        begin();
        assertThat(last.effects()).last().isInstanceOf(ChangeEffect.Tell.class);
    }

    @Test
    void transferIsTriedAgain_untilTimeIsOver() {
        begin();
        long beganNanos = nowNanos;
        assertThat(on(NOT_TRANSFERRED)).isEmpty();
        assertThat(last.wakeAtNanos()).hasValue(nowNanos + PAUSE_NANOS);
        assertThat(woken()).containsExactly(new ChangeEffect.Transfer(RANGE, TARGET));
        nowNanos = beganNanos + 2 * PAUSE_NANOS;
        assertThat(on(NOT_TRANSFERRED)).containsExactly(new ChangeEffect.Fail(FAILURE));
    }

    @Test
    void secondTryLooksAtTheTargetAgain() {
        begin();
        on(NOT_TRANSFERRED);
        targetIndex = -1_000;
        assertThat(woken()).containsExactly(new ChangeEffect.End(false));
    }

    @Test
    void failedTransferIsDone_whenTargetLeads() {
        begin();
        leads(Optional.of(TARGET));
        assertThat(on(NOT_TRANSFERRED)).containsExactly(new ChangeEffect.End(true));
    }

    @Test
    void failedTransferIsGivenUp_whenAnotherLeads() {
        begin();
        leads(Optional.of(new NodeId("c")));
        assertThat(on(NOT_TRANSFERRED)).containsExactly(new ChangeEffect.Fail(FAILURE));
    }

    @Test
    void transferAwaitsLeader_whenNoneIsKnown() {
        begin();
        leads(Optional.empty());
        assertThat(on(NOT_TRANSFERRED)).isEmpty();
        assertThat(woken()).isEmpty();
        leads(Optional.of(TARGET));
        assertThat(woken()).containsExactly(new ChangeEffect.End(true));
    }
}
