package io.parterre.server.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.change.ChildDriver.State;
import io.parterre.server.command.Member;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ChildDriverTest {
    private static final RangeId FIRST = new RangeId(2);
    private static final RangeId SECOND = new RangeId(3);
    private static final NodeId SELF = new NodeId("a");
    private static final NodeId OTHER = new NodeId("b");
    private static final ChangeEffect END = new ChangeEffect.End(true);
    private static final ChangeEffect TRANSFER = new ChangeEffect.BeginTransfer(FIRST, OTHER);

    private final ChildDriver driver =
            new ChildDriver(SELF, List.of(FIRST, SECOND), Map.of(FIRST, OTHER));
    private final Map<RangeId, NodeId> leaders = new HashMap<>();
    private State state = driver.initial();
    private ChangeDriver.Step<State> last;
    private long nowNanos = Long.MAX_VALUE - 500;

    private RangeView view(RangeId rangeId) {
        return new RangeView(
                new HostedRange(
                        new RangeDescriptor(
                                rangeId, KeyRange.ALL, new Generation(4), List.of(SELF)),
                        List.of(new Member(SELF, "a:1", "a:2"))),
                SELF.equals(leaders.get(rangeId)),
                Optional.ofNullable(leaders.get(rangeId)),
                20,
                20,
                List.of());
    }

    private List<ChangeEffect> after(Duration time) {
        nowNanos += time.toNanos();
        last =
                driver.on(
                        state,
                        new ChangeEvent.Woken(),
                        Map.of(FIRST, view(FIRST), SECOND, view(SECOND)),
                        nowNanos);
        state = last.next();
        return last.effects();
    }

    private static ChangeEffect stand(RangeId rangeId) {
        return new ChangeEffect.StandForElection(rangeId);
    }

    @Test
    void nodeStandsForChildren_untilTheyAreLed() {
        assertThat(after(Duration.ZERO)).containsExactly(stand(FIRST), stand(SECOND));
        assertThat(last.wakeAtNanos()).hasValue(nowNanos + 5_000_000);
        leaders.put(SECOND, SELF);
        assertThat(after(Duration.ofMillis(5)))
                .containsExactly(stand(FIRST), new ChangeEffect.Led(SECOND, 5_000_000));
        leaders.put(FIRST, OTHER);
        assertThat(after(Duration.ofMillis(5))).containsExactly(END);
    }

    @Test
    void childIsHandedOver_onceItIsLedHere() {
        leaders.put(FIRST, SELF);
        leaders.put(SECOND, OTHER);
        assertThat(after(Duration.ZERO)).containsExactly(new ChangeEffect.Led(FIRST, 0), TRANSFER);
        assertThat(last.wakeAtNanos()).hasValue(nowNanos + 20_000_000);
        assertThat(after(Duration.ofMillis(20))).containsExactly(TRANSFER);
        leaders.put(FIRST, OTHER);
        assertThat(after(Duration.ofMillis(20))).containsExactly(END);
    }

    @Test
    void transferIsLeftToTheManager_afterASecond() {
        leaders.put(FIRST, SELF);
        leaders.put(SECOND, OTHER);
        after(Duration.ZERO);
        assertThat(after(Duration.ofMillis(999))).containsExactly(TRANSFER);
        assertThat(after(Duration.ofMillis(1))).containsExactly(END);
    }

    @Test
    void electionIsLeftToTheTimeout_afterFiveSeconds() {
        after(Duration.ZERO);
        assertThat(after(Duration.ofMillis(4_999))).containsExactly(stand(FIRST), stand(SECOND));
        assertThat(after(Duration.ofMillis(1))).containsExactly(END);
    }
}
