package io.parterre.deploy.backup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What an archive reads next, from whom, and what it gives up. */
final class ArchivePlanTest {
    private static ArchivePlan.Told told(String nodeId, long range, long after, long applied) {
        return new ArchivePlan.Told(
                nodeId, range, OptionalLong.of(after), applied, OptionalLong.empty());
    }

    private static ArchivePlan.Told leader(String nodeId, long range, long after, long applied) {
        return new ArchivePlan.Told(
                nodeId, range, OptionalLong.of(after), applied, OptionalLong.of(1));
    }

    private static ArchivePlan.Told unrecorded(String nodeId, long range, long applied) {
        return new ArchivePlan.Told(
                nodeId, range, OptionalLong.empty(), applied, OptionalLong.of(1));
    }

    @Test
    void leaderIsRead_amongThoseThatHaveAll() {
        ArchivePlan plan =
                ArchivePlan.of(
                        Map.of(1L, 10L),
                        List.of(told("a", 1, 5, 20), leader("b", 1, 10, 20), told("c", 1, 12, 20)),
                        true);
        assertThat(plan.reads()).containsExactly(new ArchivePlan.Read("b", 1, 10));
        assertThat(plan.lost()).isEmpty();
    }

    @Test
    void otherMemberIsRead_whenLeaderRecordsSinceLater() {
        ArchivePlan plan =
                ArchivePlan.of(
                        Map.of(1L, 10L),
                        List.of(told("a", 1, 5, 18), leader("b", 1, 12, 20)),
                        true);
        assertThat(plan.reads()).containsExactly(new ArchivePlan.Read("a", 1, 10));
        assertThat(plan.lost()).isEmpty();
    }

    @Test
    void rangeIsFollowed_fromWhereAnyNodeHasIt() {
        ArchivePlan plan =
                ArchivePlan.of(
                        Map.of(), List.of(leader("a", 7, 40, 50), told("b", 7, 30, 45)), true);
        assertThat(plan.positions()).containsEntry(7L, 30L);
        assertThat(plan.reads()).containsExactly(new ArchivePlan.Read("b", 7, 30));
        assertThat(plan.lost()).isEmpty();
    }

    @Test
    void entriesAreLost_onlyOnceAllNodesAreHeard() {
        List<ArchivePlan.Told> told = List.of(leader("a", 1, 15, 20));
        ArchivePlan waiting = ArchivePlan.of(Map.of(1L, 10L), told, false);
        assertThat(waiting.reads()).isEmpty();
        assertThat(waiting.lost()).isEmpty();
        assertThat(waiting.positions()).containsEntry(1L, 10L);
        ArchivePlan given = ArchivePlan.of(Map.of(1L, 10L), told, true);
        assertThat(given.lost()).containsExactly(new ArchivePlan.Lost(1, 10, 15));
        assertThat(given.reads()).containsExactly(new ArchivePlan.Read("a", 1, 15));
    }

    @Test
    void nothingIsRead_whereNothingIsRecordedOrNew() {
        ArchivePlan plan =
                ArchivePlan.of(
                        Map.of(1L, 20L),
                        List.of(leader("a", 1, 5, 20), unrecorded("a", 2, 99)),
                        true);
        assertThat(plan.reads()).isEmpty();
        assertThat(plan.positions()).containsOnlyKeys(1L);
    }

    @Test
    void rangeHasEnded_whenNoNodeTellsOfIt() {
        assertThat(ArchivePlan.ended(Map.of(1L, 10L, 2L, 10L), List.of(told("a", 1, 5, 10))))
                .containsExactly(2L);
    }
}
