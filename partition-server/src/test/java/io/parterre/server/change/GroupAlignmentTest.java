package io.parterre.server.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.range.NodeId;
import java.util.Arrays;
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
}
