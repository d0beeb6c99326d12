package io.parterre.manager.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.manager.reason.ByteCount;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.proto.manager.log.MapEntry;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.release.FeatureLevel;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the map keeps of decisions and of what they aim at. */
class JournalTest {
    private static final Instant AT = Instant.ofEpochMilli(7);
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final RangeId R1 = new RangeId(1);

    private ClusterMap map = ClusterMap.EMPTY;

    private MapOutcome apply(MapCommand command) {
        // As it comes from the log.
        MapCommand read =
                MapCommandCodec.decode(MapCommandCodec.encode(command, FeatureLevel.NEWEST));
        assertThat(read).isEqualTo(command);
        MapApply.Applied applied = MapApply.apply(map, read);
        map = applied.map();
        return applied.outcome();
    }

    private static JournalEntry entry(String why) {
        return JournalEntry.once(
                JournalEntry.Kind.DECIDED, "MOVE", AT, List.of(R1), List.of(N2), Reason.words(why));
    }

    private void found() {
        apply(new MapCommand.RegisterNode(new ClusterNode(N1, "h:1", "h:2", "", "")));
        apply(new MapCommand.RegisterNode(new ClusterNode(N2, "h:3", "h:4", "", "")));
        apply(new MapCommand.FoundCluster(new ClusterId("c"), List.of(N1)));
        apply(new MapCommand.ConfirmRange(R1));
    }

    private List<String> whys() {
        return map.journal().entries().stream().map(entry -> entry.why().toString()).toList();
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
                                AT,
                                2),
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

    private static final Reason CODED =
            ReasonCode.MEMBER_IS_FULL.of(ReasonCode.HOLDS.of(new ByteCount(9), "4"), N2);

    private static final Split SPLIT =
            new Split(
                    R1,
                    List.of(new RangeId(2)),
                    Generation.FIRST,
                    Optional.empty(),
                    Optional.empty(),
                    SplitReason.LOAD,
                    AT,
                    Optional.empty());

    private static final Merge MERGE =
            new Merge(
                    R1, new RangeId(2), Generation.FIRST, Generation.FIRST, MergeReason.QUIET, AT);

    private static JournalEntry coded() {
        return JournalEntry.once(
                JournalEntry.Kind.LEFT, "NODES_FULL", AT, List.of(R1), List.of(N2), CODED);
    }

    static List<MapCommand> commandsWithReasons() {
        return List.of(
                new MapCommand.NoteDecisions(List.of(coded())),
                new MapCommand.Noted(new MapCommand.ConfirmRange(R1), coded()),
                new MapCommand.AbandonSplit(SPLIT, CODED),
                new MapCommand.AbandonMerge(MERGE, CODED));
    }

    private static String written(byte[] entry) throws IOException {
        return MapEntry.parseFrom(Arrays.copyOfRange(entry, 1, entry.length)).toString();
    }

    /** A release without codes would refuse the field, and lose the map. */
    @ParameterizedTest
    @MethodSource("commandsWithReasons")
    void reasonsAreWrittenInWords_belowTheirLevel(MapCommand command) throws IOException {
        String words = CODED.toString();
        byte[] below = MapCommandCodec.encode(command, new FeatureLevel(3));
        assertThat(written(below)).contains("why: \"" + words + "\"").doesNotContain("reason {");
        assertThat(MapCommandCodec.decode(below).toString()).contains(words);

        byte[] above = MapCommandCodec.encode(command, new FeatureLevel(4));
        assertThat(written(above)).contains("reason {").doesNotContain(words);
        assertThat(MapCommandCodec.decode(above)).isEqualTo(command);
    }

    private void policyIs(long version, String value) {
        apply(new MapCommand.SetPolicy(version, new TreeMap<>(Map.of("a", value)), "ann", AT));
    }

    /** What apply itself notes goes into snapshots, which the others may have to read. */
    @Test
    void journalHoldsWordsAlone_untilAllReadCodes() throws IOException {
        FeatureLevel three = new FeatureLevel(3);
        apply(new MapCommand.RegisterNode(new ClusterNode(N1, "h:1", "h:2", "", "")));
        apply(new MapCommand.FoundCluster(new ClusterId("c"), List.of(N1), three));
        policyIs(0, "1");
        assertThat(map.journal().entries())
                .extracting(JournalEntry::why)
                .containsExactly(Reason.words("a: 1; version 1, by ann"));

        apply(new MapCommand.RaiseLevel(three, FeatureLevel.NEWEST));
        policyIs(1, "2");
        assertThat(map.journal().entries())
                .extracting(JournalEntry::why)
                .containsExactly(
                        Reason.words("a: 1; version 1, by ann"),
                        ReasonCode.POLICY_SET.of("a: 1 -> 2", 2, "ann"));
        assertThat(ClusterMapCodecTest.copy(map)).isEqualTo(map);
    }

    @Test
    void abandonedOperationsKeepTheirReasons_inSnapshots() throws IOException {
        ClusterMap merging = MergeApplyTest.twoRanges();
        Merge merge = MergeApplyTest.merge(merging);
        ClusterMap abandoned =
                MapApply.apply(
                                MapApply.apply(merging, new MapCommand.BeginMerge(merge)).map(),
                                new MapCommand.AbandonMerge(merge, CODED))
                        .map();
        assertThat(abandoned.merges()).containsExactly(merge.asAbandoned(CODED));
        assertThat(ClusterMapCodecTest.copy(abandoned)).isEqualTo(abandoned);
    }

    /** Operators' programs of an earlier release know sentences alone. */
    @Test
    void operatorsAreToldSentenceAndCode() {
        io.parterre.proto.journal.JournalEntry told = JournalCodec.told(coded());
        assertThat(told.getWhy()).isEqualTo(CODED.toString());
        assertThat(told.getReason().getCode()).isEqualTo(ReasonCode.MEMBER_IS_FULL.number());
        assertThat(JournalCodec.told(entry("hot")).hasReason()).isFalse();
    }

    @Test
    void reasonIsCutOffInWords_whenTooLong() {
        Reason text = ReasonCode.LEADER_REFUSED.of("x".repeat(JournalEntry.WHY_LENGTH_MAX + 1));
        JournalEntry entry =
                JournalEntry.once(JournalEntry.Kind.ENDED, "SPLIT", AT, List.of(), List.of(), text);
        assertThat(entry.why().toString())
                .startsWith("its leader refused: xx")
                .hasSize(JournalEntry.WHY_LENGTH_MAX);
    }
}
