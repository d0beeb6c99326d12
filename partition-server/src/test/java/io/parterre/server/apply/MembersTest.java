package io.parterre.server.apply;

import static io.parterre.server.apply.AppliedRange.member;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.range.Generation;
import io.parterre.server.command.ReplicaCommand;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MembersTest {
    private final AppliedRange range = new AppliedRange();

    private static ReplicaCommand.SetMembers set(long generation, String... nodes) {
        return new ReplicaCommand.SetMembers(
                new Generation(generation),
                java.util.Arrays.stream(nodes).map(AppliedRange::member).toList());
    }

    private static Outcome.MembersSet at(long generation) {
        return new Outcome.MembersSet(new Generation(generation));
    }

    @Test
    void setMembersRecordsMembers_whenGenerationIsNext() {
        assertThat(range.apply(1, set(2, "node-1", "node-2"))).containsExactly(at(2));

        HostedRange stored = range.view.range().orElseThrow();
        assertThat(stored.descriptor().generation()).isEqualTo(new Generation(2));
        assertThat(stored.members()).containsExactly(member("node-1"), member("node-2"));
        assertThat(stored.descriptor().bounds())
                .isEqualTo(AppliedRange.whole().descriptor().bounds());
    }

    @Test
    void setMembersChangesNothing_whenGenerationIsNotNext() {
        assertThat(range.apply(1, set(1, "node-9"))).containsExactly(at(1));
        assertThat(range.apply(2, set(3, "node-9"))).containsExactly(at(1));
        assertThat(range.view.range()).isEmpty();
    }

    @Test
    void firstSetMembersWins_whenTwoAreInOneLogEntry() {
        List<Outcome> outcomes =
                range.apply(1, set(2, "node-1", "node-2"), set(2, "node-1", "node-3"));

        assertThat(outcomes).containsExactly(at(2), at(2));
        assertThat(range.view.range().orElseThrow().members())
                .containsExactly(member("node-1"), member("node-2"));
    }

    @Test
    void setMembersChecksStoredGeneration_afterRestart() {
        range.apply(1, set(2, "node-1", "node-2"));
        range.restart();
        assertThat(range.apply(2, set(2, "node-7"))).containsExactly(at(2));
        assertThat(range.apply(3, set(3, "node-2"))).containsExactly(at(3));
        assertThat(range.view.range().orElseThrow().members()).containsExactly(member("node-2"));
    }
}
