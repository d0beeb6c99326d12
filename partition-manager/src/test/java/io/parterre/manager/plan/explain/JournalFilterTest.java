package io.parterre.manager.plan.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.JournalEntry;
import io.parterre.manager.plan.view.Maps;
import io.parterre.manager.plan.view.TwoRanges;
import io.parterre.manager.reason.Reason;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JournalFilterTest {
    private static final NodeId N1 = new NodeId("n1");
    private static final RangeId R1 = new RangeId(1);
    private static final RangeId R2 = new RangeId(2);

    private static final List<JournalEntry> DECIDED =
            List.of(
                    entry(JournalEntry.Kind.DECIDED, 10, List.of(R1), List.of(N1), "move"),
                    entry(JournalEntry.Kind.ENDED, 30, List.of(R1), List.of(), "end"),
                    entry(JournalEntry.Kind.ASKED, 50, List.of(), List.of(), "policy"));
    private static final List<JournalEntry> LEFT =
            List.of(
                    entry(JournalEntry.Kind.LEFT, 20, List.of(R2), List.of(), "left 2"),
                    entry(JournalEntry.Kind.LEFT, 40, List.of(R1), List.of(), "left 1"));

    private static JournalEntry entry(
            JournalEntry.Kind kind,
            long second,
            List<RangeId> ranges,
            List<NodeId> nodes,
            String why) {
        return JournalEntry.once(
                kind, "X", Instant.ofEpochSecond(second), ranges, nodes, Reason.words(why));
    }

    private static List<String> newest(JournalFilter filter, int countMax) {
        return filter.newest(DECIDED, LEFT, countMax).entries().stream()
                .map(entry -> entry.why().toString())
                .toList();
    }

    private static JournalFilter filter(long since, RangeId range, NodeId node, RangeId... ranges) {
        return new JournalFilter(
                since == 0 ? Optional.empty() : Optional.of(Instant.ofEpochSecond(since)),
                Optional.ofNullable(range),
                Optional.ofNullable(node),
                Set.of(ranges));
    }

    @Test
    void journalMergesDecisionsAndRemarks_byTime() {
        assertThat(newest(filter(0, null, null), 9))
                .containsExactly("move", "left 2", "end", "left 1", "policy");
    }

    @Test
    void journalDropsAndCountsOldestEntries_whenLimitIsExceeded() {
        assertThat(newest(filter(0, null, null), 2)).containsExactly("left 1", "policy");
        assertThat(filter(0, null, null).newest(DECIDED, LEFT, 2).leftOut()).isEqualTo(3);
    }

    @Test
    void journalFiltersEntries_byTimeRangeAndNode() {
        assertThat(newest(filter(30, null, null), 9)).containsExactly("end", "left 1", "policy");
        assertThat(newest(filter(0, R1, null), 9)).containsExactly("move", "end", "left 1");
        assertThat(newest(filter(0, null, N1), 9)).containsExactly("move");
        assertThat(newest(filter(0, null, N1, R2), 9))
                .as("and what was left of its ranges")
                .containsExactly("move", "left 2");
        assertThat(newest(filter(20, R1, N1), 9)).isEmpty();
    }

    @Test
    void nodeJournalHasWhatWasLeft_ofRangesItHolds() {
        assertThat(newest(JournalFilter.of(R1), 9)).containsExactly("move", "end", "left 1");
        TwoRanges cluster = new TwoRanges(Maps.ids(1, 2, 3), Maps.ids(2, 3, 4));
        assertThat(newest(JournalFilter.of(N1, cluster.view()), 9))
                .containsExactly("move", "left 1");
        assertThat(newest(JournalFilter.of(new NodeId("n4"), cluster.view()), 9))
                .containsExactly("left 2");
        assertThat(newest(JournalFilter.of(new NodeId("n5"), cluster.view()), 9)).isEmpty();
    }
}
