package io.parterre.server.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.Outcome;
import io.parterre.server.change.CommandDriver.State;
import io.parterre.server.command.Member;
import io.parterre.server.command.ReplicaCommand.Split;
import io.parterre.server.command.ReplicaCommand.SplitPoint;
import io.parterre.server.command.ReplicaCommand.Thaw;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

final class CommandDriverTest {
    private static final RangeId RANGE = new RangeId(1);
    private static final Generation NEXT = new Generation(5);
    private static final Thaw THAW = new Thaw(NEXT);
    private static final NodeId OTHER = new NodeId("b");

    private final CommandDriver driver =
            new CommandDriver(RANGE, THAW, true, Duration.ofNanos(100));

    private ChangeDriver.Step<State> on(
            State state, ChangeEvent event, FollowerState... followers) {
        RangeDescriptor range =
                new RangeDescriptor(RANGE, KeyRange.ALL, new Generation(4), List.of(OTHER));
        RangeView view =
                new RangeView(
                        new HostedRange(range, List.of(new Member(OTHER, "b:1", "b:2"))),
                        true,
                        Optional.empty(),
                        20,
                        20,
                        List.of(followers));
        return driver.on(state, event, Map.of(RANGE, view), 1_000);
    }

    @Test
    void commandIsProposedOnce_withTimeLimit() {
        ChangeDriver.Step<State> step = on(driver.initial(), new ChangeEvent.Begun());
        assertThat(step.next()).isEqualTo(State.PROPOSED);
        assertThat(step.effects()).containsExactly(new ChangeEffect.Propose(RANGE, THAW));
        assertThat(step.wakeAtNanos()).hasValue(1_100);
        assertThat(on(State.PROPOSED, new ChangeEvent.Woken()).effects())
                .singleElement()
                .isInstanceOfSatisfying(
                        ChangeEffect.Fail.class,
                        fail -> assertThat(fail.failure()).isInstanceOf(TimeoutException.class));
    }

    @Test
    void commandIsRepeated_onlyForFollowers() {
        ChangeEvent applied = new ChangeEvent.Applied(THAW, new Outcome.RangeThawed(NEXT, true));
        assertThat(on(State.PROPOSED, applied).effects())
                .containsExactly(new ChangeEffect.End(true));
        assertThat(
                        on(State.PROPOSED, applied, new FollowerState(OTHER, 20, Duration.ZERO))
                                .effects())
                .containsExactly(new ChangeEffect.Repeat(RANGE, THAW), new ChangeEffect.End(true));
    }

    @Test
    void changeEndsWithoutEffect_whenCommandIsRefused() {
        assertThat(
                        on(
                                        State.PROPOSED,
                                        new ChangeEvent.Applied(
                                                THAW, new Outcome.RangeThawed(NEXT, false)))
                                .effects())
                .containsExactly(new ChangeEffect.End(false));
    }

    /** The generation has moved on: the entry is in the log and has no effect. */
    @Test
    void changeEndsWithoutEffect_whenSplitTookNone() {
        Split split =
                new Split(
                        NEXT, List.of(new SplitPoint(Key.copyOf(new byte[] {1}), new RangeId(2))));
        for (boolean done : List.of(true, false)) {
            assertThat(
                            on(
                                            State.PROPOSED,
                                            new ChangeEvent.Applied(
                                                    split, new Outcome.RangeSplit(NEXT, done)))
                                    .effects())
                    .containsExactly(new ChangeEffect.End(done));
        }
    }

    @Test
    void changeFails_whenCommandIsNotApplied() {
        IOException failure = new IOException("failure");
        assertThat(on(State.PROPOSED, new ChangeEvent.NotApplied(THAW, failure)).effects())
                .containsExactly(new ChangeEffect.Fail(failure));
    }

    @Test
    void rangeIsThawed_onlyFromTheGenerationAtWhichItIsFrozen() {
        RangeDescriptor range =
                new RangeDescriptor(RANGE, KeyRange.ALL, new Generation(3), List.of(OTHER));
        RangeDescriptor frozen = range.frozen(new RangeId(7), new Generation(9));
        Duration wait = Duration.ofNanos(100);
        assertThat(CommandDriver.thaw(frozen, new Generation(4), wait))
                .contains(new CommandDriver(RANGE, THAW, false, wait));
        assertThat(CommandDriver.thaw(frozen, new Generation(3), wait)).isEmpty();
        assertThat(CommandDriver.thaw(range, new Generation(3), wait)).isEmpty();
    }
}
