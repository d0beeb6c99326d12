package io.parterre.server.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.range.NodeId;
import io.parterre.server.compare.MemberAnswer.Held;
import io.parterre.server.compare.MemberAnswer.None;
import io.parterre.server.compare.MemberAnswer.Why;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ComparisonVerdictTest {
    /** One letter a member: the same letter, the same rows; others are not told. */
    private static ComparisonVerdict of(String answers) {
        List<NodeId> members = new ArrayList<>();
        Map<NodeId, MemberAnswer> given = new HashMap<>();
        for (int i = 0; i < answers.length(); i++) {
            char answer = answers.charAt(i);
            NodeId member = node(i + 1);
            members.add(member);
            switch (answer) {
                case '-' -> {}
                case 'p' -> given.put(member, new None(Why.PASSED));
                case 'u' -> given.put(member, new None(Why.UNREACHABLE));
                default -> given.put(member, new Held(new Digest(10, 100, answer)));
            }
        }
        return ComparisonVerdict.of(members, given);
    }

    private static NodeId node(int number) {
        return new NodeId("node-" + number);
    }

    private static ComparisonVerdict differ(Integer... odd) {
        Set<NodeId> nodes = new java.util.HashSet<>();
        for (int each : odd) {
            nodes.add(node(each));
        }
        return new ComparisonVerdict.Differ(nodes);
    }

    @Test
    void membersAreEqual_whenAllAnswerTheSame() {
        assertThat(of("AAA")).isEqualTo(new ComparisonVerdict.Equal());
        assertThat(of("AA")).isEqualTo(new ComparisonVerdict.Equal());
        assertThat(of("AAAAA")).isEqualTo(new ComparisonVerdict.Equal());
    }

    @Test
    void oddMembersDiffer_whenMajorityAnswersTheSame() {
        assertThat(of("AAB")).isEqualTo(differ(3));
        assertThat(of("BAA")).isEqualTo(differ(1));
        assertThat(of("ABACA")).isEqualTo(differ(2, 4));
        assertThat(of("AABuA")).isEqualTo(differ(3));
    }

    /** Else more could be quarantined than the range can spare. */
    @Test
    void nothingIsDecided_whenMajorityOfAllMembersIsNotTheSame() {
        assertThat(of("AB")).isEqualTo(new ComparisonVerdict.Undecided());
        assertThat(of("ABC")).isEqualTo(new ComparisonVerdict.Undecided());
        assertThat(of("AB-")).isEqualTo(new ComparisonVerdict.Undecided());
        assertThat(of("AABB")).isEqualTo(new ComparisonVerdict.Undecided());
        assertThat(of("AABuu")).isEqualTo(new ComparisonVerdict.Undecided());
    }

    @Test
    void comparisonIsOpen_whenNotAllAnswerAndNoneDiffers() {
        assertThat(of("AA-")).isEqualTo(new ComparisonVerdict.Open(Why.UNREACHABLE));
        assertThat(of("upA")).isEqualTo(new ComparisonVerdict.Open(Why.PASSED));
        assertThat(of("---")).isEqualTo(new ComparisonVerdict.Open(Why.UNREACHABLE));
    }

    @Test
    void oddMembersAreNeverAsManyAsCostTheMajority() {
        for (String answers : List.of("AAB", "AAAB", "AAABB", "AAABC", "AAAABBC", "AABB-")) {
            if (of(answers) instanceof ComparisonVerdict.Differ differ) {
                int left = answers.length() - differ.odd().size();
                assertThat(left).as(answers).isGreaterThan(answers.length() / 2);
            }
        }
    }
}
