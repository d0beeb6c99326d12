package io.parterre.manager.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the map keeps of decisions and of what they aim at. */
class JournalTest {
    private static final Instant AT = Instant.ofEpochMilli(7);
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final RangeId R1 = new RangeId(1);

    private ClusterMap map = ClusterMap.EMPTY;

    private MapOutcome apply(MapCommand command) {
        // As it comes from the log.
        MapCommand read = MapCommandCodec.decode(MapCommandCodec.encode(command));
        assertThat(read).isEqualTo(command);
        MapApply.Applied applied = MapApply.apply(map, read);
        map = applied.map();
        return applied.outcome();
    }

    private static JournalEntry entry(String why) {
        return JournalEntry.once(
                JournalEntry.Kind.DECIDED, "MOVE", AT, List.of(R1), List.of(N2), why);
    }

    private void found() {
        apply(new MapCommand.RegisterNode(new ClusterNode(N1, "h:1", "h:2", "", "")));
        apply(new MapCommand.RegisterNode(new ClusterNode(N2, "h:3", "h:4", "", "")));
        apply(new MapCommand.FoundCluster(new ClusterId("c"), List.of(N1)));
        apply(new MapCommand.ConfirmRange(R1));
    }

    private List<String> whys() {
        return map.journal().entries().stream().map(JournalEntry::why).toList();
    }

    @Test
    void commandAndItsNoteApplyAtomically() {
        found();
        MapCommand begin =
                new MapCommand.Noted(
                        new MapCommand.BeginMove(
                                new Move(
                                        R1,
                                        Optional.of(N2),
                                        Optional.empty(),
                                        MoveReason.REPAIR,
                                        Generation.FIRST,
                                        AT)),
                        entry("n2 takes it"));
        assertThat(apply(begin)).isEqualTo(new MapOutcome.Done());
        assertThat(map.move(R1)).isPresent();
        assertThat(whys()).containsExactly("n2 takes it");

        assertThat(apply(begin)).as("proposed again").isInstanceOf(MapOutcome.Refused.class);
        assertThat(whys()).hasSize(1);
        assertThat(map.version()).as("watchers see nothing of it").isEqualTo(3);
    }

    @Test
    void splitNoteNamesChildRange_whenSplitBegins() {
        found();
        apply(
                new MapCommand.Noted(
                        new MapCommand.BeginSplit(
                                R1,
                                Generation.FIRST,
                                Optional.empty(),
                                Optional.empty(),
                                SplitReason.LOAD,
                                AT),
                        entry("hot")));
        assertThat(map.journal().entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.ranges()).containsExactly(R1, new RangeId(2)));
    }

    @Test
    void journalKeepsNewestEntries_whenCountLimitIsReached() {
        for (int i = 0; i < Journal.COUNT_MAX / 100 + 3; i++) {
            int first = i * 100;
            apply(
                    new MapCommand.NoteDecisions(
                            IntStream.range(first, first + 100)
                                    .mapToObj(n -> entry("" + n))
                                    .toList()));
        }
        assertThat(map.journal().entries()).hasSize(Journal.COUNT_MAX);
        assertThat(whys()).startsWith("300").endsWith("" + (Journal.COUNT_MAX + 299));
        assertThat(map.journal().lastNumber()).isEqualTo(Journal.COUNT_MAX + 300);
    }

    @Test
    void journalStaysWithinByteLimitAndSurvivesSnapshot() throws IOException {
        String why = "x".repeat(JournalEntry.WHY_LENGTH_MAX + 1);
        for (int i = 0; i < 20; i++) {
            List<JournalEntry> hundred = IntStream.range(0, 100).mapToObj(n -> entry(why)).toList();
            map = MapApply.apply(map, new MapCommand.NoteDecisions(hundred)).map();
        }
        assertThat(map.journal().bytes())
                .isBetween(Journal.BYTES_MAX / 2, Journal.BYTES_MAX)
                .isEqualTo(map.journal().entries().stream().mapToLong(JournalEntry::bytes).sum());
        assertThat(whys()).allMatch(kept -> kept.length() == JournalEntry.WHY_LENGTH_MAX);

        ClusterMap copy = ClusterMapCodecTest.copy(map);
        assertThat(copy).as("a snapshot has all of it, and its numbers").isEqualTo(map);
    }

    @Test
    void policyChangeIsJournaled_whenItsExpectedVersionIsCurrent() throws IOException {
        apply(new MapCommand.SetPolicy(0, new TreeMap<>(Map.of("a", "1", "b", "2")), "file", AT));
        MapCommand change =
                new MapCommand.SetPolicy(1, new TreeMap<>(Map.of("a", "3")), "ann@host", AT);
        assertThat(apply(change)).isEqualTo(new MapOutcome.Done());
        assertThat(map.policy().version()).isEqualTo(2);
        assertThat(map.policy().values()).isEqualTo(Map.of("a", "3", "b", "2"));
        assertThat(whys())
                .containsExactly(
                        "a: 1, b: 2; version 1, by file", "a: 1 -> 3; version 2, by ann@host");
        assertThat(map.journal().entries())
                .last()
                .satisfies(entry -> assertThat(entry.first()).isEqualTo(AT));

        assertThat(MapCommands.refusal(apply(change)))
                .isEqualTo("the policy has version 2, not 1 any more");
        assertThat(apply(new MapCommand.SetPolicy(2, new TreeMap<>(Map.of("a", "3")), "x", AT)))
                .as("nothing new")
                .isEqualTo(new MapOutcome.Done());
        assertThat(map.policy().version()).isEqualTo(2);
        assertThat(ClusterMapCodecTest.copy(map)).isEqualTo(map);
    }

    @Test
    void policyChangeIsRejected_whenValuesExceedLimits() {
        Map<String, String> many =
                IntStream.rangeClosed(0, PolicyValues.COUNT_MAX)
                        .boxed()
                        .collect(Collectors.toMap(n -> "k" + n, n -> "v"));
        assertThatThrownBy(() -> new MapCommand.SetPolicy(0, new TreeMap<>(many), "x", AT))
                .hasMessage("values: 201 (expected: at most 200)");
        assertThatThrownBy(
                        () ->
                                new MapCommand.SetPolicy(
                                        0, new TreeMap<>(Map.of("k", "v".repeat(201))), "x", AT))
                .hasMessage("k: 201 characters (expected: at most 200)");
    }
}
