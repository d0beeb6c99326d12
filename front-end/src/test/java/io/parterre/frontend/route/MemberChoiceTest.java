package io.parterre.frontend.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.range.NodeId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class MemberChoiceTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final NodeId C = new NodeId("c");
    private static final List<NodeId> ALL = List.of(A, B, C);

    private static NodeId choose(Set<NodeId> tried, Set<NodeId> silent, long spread) {
        return MemberChoice.of(ALL, Optional.of(B), tried, silent, spread);
    }

    @Test
    void choiceSpreadsOverFollowersAndSparesLeader() {
        Map<String, Integer> asked = new TreeMap<>();
        for (long spread = -50; spread < 50; spread++) {
            asked.merge(choose(Set.of(), Set.of(), spread).value(), 1, Integer::sum);
        }
        assertThat(asked).containsOnly(Map.entry("a", 50), Map.entry("c", 50));
    }

    @Test
    void choiceVisitsEachMemberOnceAndLeaderLast() {
        for (long spread = 0; spread < 3; spread++) {
            Set<NodeId> tried = new HashSet<>();
            tried.add(choose(tried, Set.of(), spread));
            tried.add(choose(tried, Set.of(), spread));
            assertThat(tried).containsExactlyInAnyOrder(A, C);
            assertThat(choose(tried, Set.of(), spread)).isEqualTo(B);
        }
    }

    @Test
    void choicePrefersLeader_whenAllFollowersAreUnresponsive() {
        assertThat(choose(Set.of(), Set.of(A), 0)).isEqualTo(C);
        assertThat(choose(Set.of(), Set.of(A, C), 0)).isEqualTo(B);
        assertThat(choose(Set.of(), Set.of(A, B, C), 0)).isEqualTo(A);
        assertThat(choose(Set.of(B), Set.of(A, C), 0)).isEqualTo(A);
    }

    @Test
    void choiceStillPicksMember_whenLeaderIsUnknownOrRemoved() {
        assertThat(MemberChoice.of(ALL, Optional.empty(), Set.of(), Set.of(), 1)).isEqualTo(B);
        NodeId gone = new NodeId("gone");
        assertThat(MemberChoice.of(ALL, Optional.of(gone), Set.of(), Set.of(), 2)).isEqualTo(C);
    }

    @Test
    void choiceReturnsOnlyMember_whenAlreadyTriedAndUnresponsive() {
        assertThat(MemberChoice.of(List.of(A), Optional.of(A), Set.of(A), Set.of(A), 7))
                .isEqualTo(A);
    }
}
