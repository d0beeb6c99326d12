package io.parterre.server.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.change.HandOverDriver.State;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HandOverDriverTest {
    private static final RangeId FIRST = new RangeId(1);
    private static final RangeId SECOND = new RangeId(2);
    private static final ChangeEffect TO_C = new ChangeEffect.BeginTransfer(FIRST, new NodeId("c"));

    private final HandOverDriver driver = new HandOverDriver(Duration.ofSeconds(1));
    private final Map<RangeId, List<FollowerState>> led = new HashMap<>();
    private State state = driver.initial();
    private ChangeDriver.Step<State> last;
    private long nowNanos = Long.MAX_VALUE - 500;

    private static FollowerState follower(String node, long matchIndex) {
        return new FollowerState(new NodeId(node), matchIndex, Duration.ZERO);
    }

    private List<ChangeEffect> after(long millis) {
        nowNanos += Duration.ofMillis(millis).toNanos();
        last = driver.on(state, led, nowNanos);
        state = last.next();
        return last.effects();
    }

    @Test
    void handOverEndsAtOnce_whenNothingIsLed() {
        assertThat(after(0)).containsExactly(new ChangeEffect.End(true));
        assertThat(last.wakeAtNanos()).isEmpty();
    }

    @Test
    void rangesAreLeft_whenNoFollowerCanLeadThem() {
        led.put(SECOND, List.of());
        assertThat(after(0)).containsExactly(new ChangeEffect.End(true));
    }

    @Test
    void followerWithTheLongestLogIsAsked_untilItLeads() {
        led.put(FIRST, List.of(follower("b", 10), follower("c", 12), follower("d", 11)));
        led.put(SECOND, List.of());
        assertThat(after(0)).containsExactly(TO_C);
        assertThat(last.wakeAtNanos()).hasValue(nowNanos + 5_000_000);
        assertThat(after(5)).isEmpty();
        assertThat(after(194)).isEmpty();
        assertThat(last.wakeAtNanos()).hasValue(nowNanos + 5_000_000);
        assertThat(after(1)).as("asked again").containsExactly(TO_C);
        led.remove(FIRST);
        assertThat(after(5)).containsExactly(new ChangeEffect.End(true));
    }

    @Test
    void handOverIsGivenUp_whenTimeIsOver() {
        led.put(FIRST, List.of(follower("c", 12)));
        after(0);
        assertThat(after(999)).containsExactly(TO_C);
        assertThat(after(1)).containsExactly(new ChangeEffect.End(false));
        assertThat(last.wakeAtNanos()).isEmpty();
    }

    @Test
    void leadershipIsGivenUp_whenTwoTransfersFailed() {
        assertThat(List.of(0, 1, 2, 3))
                .map(HandOverDriver::stepsDown)
                .containsExactly(false, false, true, true);
    }
}
