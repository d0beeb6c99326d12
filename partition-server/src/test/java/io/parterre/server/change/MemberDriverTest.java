package io.parterre.server.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.apply.Outcome;
import io.parterre.server.change.MemberDriver.State;
import io.parterre.server.command.Member;
import io.parterre.server.command.ReplicaCommand.SetMembers;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

final class MemberDriverTest {
    private static final RangeId RANGE = new RangeId(1);
    private static final List<Member> MEMBERS = List.of(new Member(new NodeId("a"), "a:1", "a:2"));
    private static final SetMembers RECORD = new SetMembers(new Generation(5), MEMBERS);
    private static final IOException FAILURE = new IOException("failure");

    private MemberDriver driver =
            driver(
                    Optional.of(
                            MemberDriver.recording(
                                    RANGE,
                                    new MemberChange(new Generation(4), MEMBERS),
                                    Duration.ofNanos(100))));
    private State state = driver.initial();
    private ChangeDriver.Step<State> last;
    private long nowNanos = Long.MAX_VALUE - 500;

    private static MemberDriver driver(Optional<CommandDriver> record) {
        return new MemberDriver(RANGE, MEMBERS, record, Duration.ofNanos(1_000));
    }

    private List<ChangeEffect> on(ChangeEvent event) {
        last = driver.on(state, event, Map.of(), nowNanos);
        state = last.next();
        return last.effects();
    }

    private List<ChangeEffect> woken(long afterNanos) {
        nowNanos += afterNanos;
        return on(new ChangeEvent.Woken());
    }

    private static void assertLate(List<ChangeEffect> effects) {
        assertThat(effects)
                .singleElement()
                .isInstanceOfSatisfying(
                        ChangeEffect.Fail.class,
                        fail -> assertThat(fail.failure()).isInstanceOf(TimeoutException.class));
    }

    @Test
    void membersAreRecorded_onceGroupHasThem() {
        assertThat(on(new ChangeEvent.Begun()))
                .containsExactly(new ChangeEffect.Configure(RANGE, MEMBERS, true));
        assertThat(on(new ChangeEvent.Configured()))
                .containsExactly(new ChangeEffect.Propose(RANGE, RECORD));
        assertThat(last.wakeAtNanos()).hasValue(nowNanos + 100);
        assertThat(on(new ChangeEvent.Applied(RECORD, new Outcome.MembersSet(new Generation(5)))))
                .containsExactly(new ChangeEffect.End(true));
    }

    @Test
    void groupIsConfiguredOnly_whenDescriptorHasTheMembers() {
        driver = driver(Optional.empty());
        assertThat(on(new ChangeEvent.Begun()))
                .containsExactly(new ChangeEffect.Configure(RANGE, MEMBERS, false));
        assertThat(on(new ChangeEvent.Configured())).containsExactly(new ChangeEffect.End(true));
    }

    @Test
    void changeFails_whenGroupIsNotConfigured() {
        on(new ChangeEvent.Begun());
        assertThat(on(new ChangeEvent.NotConfigured(FAILURE)))
                .containsExactly(new ChangeEffect.Fail(FAILURE));
    }

    @Test
    void changeFails_whenGroupIsLate() {
        on(new ChangeEvent.Begun());
        assertThat(last.wakeAtNanos()).hasValue(nowNanos + 1_000);
        assertThat(woken(999)).isEmpty();
        assertThat(last.wakeAtNanos()).hasValue(nowNanos + 1);
        assertLate(woken(1));
    }

    @Test
    void changeFails_whenRecordFailsOrIsLate() {
        on(new ChangeEvent.Begun());
        on(new ChangeEvent.Configured());
        State recording = state;
        assertThat(on(new ChangeEvent.NotApplied(RECORD, FAILURE)))
                .containsExactly(new ChangeEffect.Fail(FAILURE));
        state = recording;
        assertLate(woken(100));
    }
}
