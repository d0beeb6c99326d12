package io.parterre.server.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.command.Member;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class GroupAlignmentTest {
    private static final NodeId SELF = new NodeId("a");
    private static final Set<NodeId> NOT_CHANGING = Set.of();

    private static Set<NodeId> nodes(String... names) {
        return Arrays.stream(names).map(NodeId::new).collect(Collectors.toSet());
    }

    private static GroupAlignment decided(Set<NodeId> described, Set<NodeId> group) {
        return GroupAlignment.of(described, group, NOT_CHANGING, SELF);
    }

    @Test
    void raftGroupIsUnchanged_whenItMatchesDescriptor() {
        assertThat(decided(nodes("a", "b", "c"), nodes("c", "b", "a")).step())
                .isEqualTo(GroupAlignment.Step.NOTHING);
    }

    @Test
    void raftGroupIsUnchanged_whileItIsReconfiguring() {
        assertThat(
                        GroupAlignment.of(
                                        nodes("a", "b", "c"),
                                        nodes("a", "b", "c", "d"),
                                        nodes("a", "b", "c"),
                                        SELF)
                                .step())
                .isEqualTo(GroupAlignment.Step.NOTHING);
    }

    @Test
    void memberIsRemovedFromGroup_whenNotInDescriptor() {
        assertThat(decided(nodes("a", "b", "c"), nodes("a", "b", "c", "d")))
                .isEqualTo(new GroupAlignment(GroupAlignment.Step.CONFIGURE, nodes("a", "b", "c")));
    }

    @Test
    void memberIsRemovedFromDescriptor_whenNotInGroup() {
        assertThat(decided(nodes("a", "b", "c"), nodes("a", "c")))
                .isEqualTo(new GroupAlignment(GroupAlignment.Step.RECORD, nodes("a", "c")));
    }

    @Test
    void extraMemberIsRemoved_beforeMissingMemberIsRecorded() {
        Set<NodeId> described = nodes("a", "b", "c");
        GroupAlignment first = decided(described, nodes("a", "b", "d"));
        assertThat(first)
                .isEqualTo(new GroupAlignment(GroupAlignment.Step.CONFIGURE, nodes("a", "b")));
        GroupAlignment second = decided(described, first.members());
        assertThat(second)
                .isEqualTo(new GroupAlignment(GroupAlignment.Step.RECORD, nodes("a", "b")));
        assertThat(decided(second.members(), first.members()).step())
                .isEqualTo(GroupAlignment.Step.NOTHING);
    }

    @Test
    void leadershipIsTransferred_whenLeaderIsNotInDescriptor() {
        assertThat(decided(nodes("b", "c"), nodes("a", "b", "c")))
                .isEqualTo(new GroupAlignment(GroupAlignment.Step.HAND_OVER, nodes("b", "c")));
    }

    @Test
    void raftGroupIsUnchanged_whenNoDescribedMemberIsInIt() {
        assertThat(decided(nodes("b", "c"), nodes("a")).step())
                .isEqualTo(GroupAlignment.Step.NOTHING);
    }

    @Test
    void driverKeepsTheMembersOfBoth_andIsNoneForAHandOver() {
        List<Member> members =
                nodes("a", "b", "c").stream().map(node -> new Member(node, "", "")).toList();
        HostedRange range =
                new HostedRange(
                        new RangeDescriptor(
                                new RangeId(7),
                                KeyRange.ALL,
                                new Generation(4),
                                members.stream().map(Member::nodeId).toList()),
                        members);
        List<Member> kept =
                members.stream().filter(member -> !member.nodeId().value().equals("c")).toList();
        Duration wait = Duration.ofSeconds(1);
        Map<GroupAlignment.Step, Optional<ChangeDriver<?>>> table =
                Map.of(
                        GroupAlignment.Step.NOTHING,
                        Optional.empty(),
                        GroupAlignment.Step.HAND_OVER,
                        Optional.empty(),
                        GroupAlignment.Step.CONFIGURE,
                        Optional.of(new MemberDriver(new RangeId(7), kept, Optional.empty(), wait)),
                        GroupAlignment.Step.RECORD,
                        Optional.of(
                                MemberDriver.recording(
                                        new RangeId(7),
                                        new MemberChange(new Generation(4), kept),
                                        wait)));
        for (GroupAlignment.Step step : GroupAlignment.Step.values()) {
            assertThat(new GroupAlignment(step, nodes("a", "b")).driver(range, wait, wait))
                    .as("%s", step)
                    .isEqualTo(table.get(step));
        }
    }
}
