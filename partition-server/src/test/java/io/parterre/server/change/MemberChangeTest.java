package io.parterre.server.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.command.Member;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class MemberChangeTest {
    private static final NodeId SELF = new NodeId("a");

    private static MemberChange to(String... members) {
        return new MemberChange(
                new Generation(4), Arrays.stream(members).map(MemberChangeTest::member).toList());
    }

    private static Member member(String node) {
        return new Member(new NodeId(node), node + ":1", node + ":2");
    }

    private static RangeDescriptor at(long generation, String... members) {
        return new RangeDescriptor(
                new RangeId(7),
                KeyRange.ALL,
                new Generation(generation),
                Arrays.stream(members).map(NodeId::new).toList());
    }

    private static Set<NodeId> group(String... members) {
        return Arrays.stream(members).map(NodeId::new).collect(Collectors.toSet());
    }

    @Test
    void memberChangeConfiguresGroup_beforeRecordingMembers() {
        MemberChange change = to("a", "b", "c");
        assertThat(change.next(at(4, "a", "b"), group("a", "b"), group(), SELF))
                .isEqualTo(MemberChange.Step.CONFIGURE);
        assertThat(change.next(at(4, "a", "b"), group("a", "b", "c"), group(), SELF))
                .isEqualTo(MemberChange.Step.RECORD);
        assertThat(change.next(at(5, "c", "b", "a"), group("a", "b", "c"), group(), SELF))
                .isEqualTo(MemberChange.Step.DONE);
    }

    @Test
    void memberChangeIsIgnored_whenGenerationDiffers() {
        MemberChange change = to("a", "b", "c");
        for (long generation : List.of(1, 3, 6, 9)) {
            assertThat(change.next(at(generation, "a", "b"), group("a", "b"), group(), SELF))
                    .isEqualTo(MemberChange.Step.OTHER_GENERATION);
        }
        // The next generation, but not with these members.
        assertThat(change.next(at(5, "a", "b"), group("a", "b"), group(), SELF))
                .isEqualTo(MemberChange.Step.OTHER_GENERATION);
    }

    @Test
    void memberChangeIsRejected_whenItRemovesTheLeader() {
        assertThat(to("b", "c").next(at(4, "a", "b", "c"), group("a", "b", "c"), group(), SELF))
                .isEqualTo(MemberChange.Step.WITHOUT_LEADER);
    }

    @Test
    void memberChangeWaits_whileGroupIsReconfiguring() {
        assertThat(to("a", "c").next(at(4, "a", "b"), group("a", "c"), group("a", "b"), SELF))
                .isEqualTo(MemberChange.Step.UNDER_WAY);
    }

    @Test
    void earlierMemberChangeIsReverted_whenOrderNamesOldMembers() {
        // The group had got c, and then its leader was lost before that was recorded.
        MemberChange asItWas = to("a", "b");
        assertThat(asItWas.next(at(4, "a", "b"), group("a", "b", "c"), group(), SELF))
                .isEqualTo(MemberChange.Step.CONFIGURE);
        assertThat(asItWas.next(at(4, "a", "b"), group("a", "b"), group(), SELF))
                .isEqualTo(MemberChange.Step.RECORD);
    }

    @Test
    void memberChangeIsRejected_whenMembersAreEmptyOrDuplicate() {
        assertThatIllegalArgumentException().isThrownBy(() -> to());
        assertThatIllegalArgumentException().isThrownBy(() -> to("a", "a"));
    }

    @Test
    void driverIsThatOfTheStep_andNoneWhereThereIsNoWork() {
        MemberChange change = to("a", "b");
        RangeId rangeId = new RangeId(7);
        Duration configureMax = Duration.ofMinutes(1);
        Duration commandMax = Duration.ofSeconds(1);
        CommandDriver record = MemberDriver.recording(rangeId, change, commandMax);
        for (MemberChange.Step step : MemberChange.Step.values()) {
            Optional<ChangeDriver<?>> driver =
                    change.driver(step, rangeId, configureMax, commandMax);
            assertThat(driver.isPresent()).as("%s", step).isEqualTo(step.isWork());
        }
        assertThat(change.driver(MemberChange.Step.RECORD, rangeId, configureMax, commandMax))
                .contains(record);
        assertThat(change.driver(MemberChange.Step.CONFIGURE, rangeId, configureMax, commandMax))
                .contains(
                        new MemberDriver(
                                rangeId, change.members(), Optional.of(record), configureMax));
    }
}
