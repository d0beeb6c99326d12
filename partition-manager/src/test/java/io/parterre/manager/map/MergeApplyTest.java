package io.parterre.manager.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.manager.reason.Reason;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MergeApplyTest {
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final RangeId R1 = new RangeId(1);
    private static final RangeId R2 = new RangeId(2);
    private static final Key SPLIT_POINT = Key.copyOf(new byte[] {7});

    private ClusterMap map = twoRanges();

    /** Both at generation 2, on the first node; a second node holds nothing. */
    static ClusterMap twoRanges() {
        ClusterMap map = ClusterMap.EMPTY;
        for (MapCommand command :
                List.of(
                        new MapCommand.RegisterNode(new ClusterNode(N1, "h:1", "h:2", "", "")),
                        new MapCommand.RegisterNode(new ClusterNode(N2, "h:3", "h:4", "", "")),
                        new MapCommand.FoundCluster(new ClusterId("c1"), List.of(N1)),
                        new MapCommand.ConfirmRange(R1))) {
            map = MapApply.apply(map, command).map();
        }
        return split(map, R1, SPLIT_POINT);
    }

    private static ClusterMap split(ClusterMap map, RangeId rangeId, Key at) {
        RangeDescriptor range = map.ranges().find(rangeId).orElseThrow();
        ClusterMap begun =
                MapApply.apply(
                                map,
                                new MapCommand.BeginSplit(
                                        rangeId,
                                        range.generation(),
                                        Optional.of(at),
                                        Optional.empty(),
                                        SplitReason.OPERATOR,
                                        Instant.EPOCH,
                                        2))
                        .map();
        return MapApply.apply(
                        begun,
                        new MapCommand.CompleteSplit(
                                begun.split(rangeId).orElseThrow(),
                                at,
                                range.generation().next(),
                                range.members()))
                .map();
    }

    static Merge merge(ClusterMap map) {
        return new Merge(
                R1,
                R2,
                map.ranges().find(R1).orElseThrow().generation(),
                map.ranges().find(R2).orElseThrow().generation(),
                MergeReason.QUIET,
                Instant.EPOCH);
    }

    private MapOutcome apply(MapCommand command) {
        MapApply.Applied applied = MapApply.apply(map, command);
        map = applied.map();
        return applied.outcome();
    }

    private void refused(MapCommand command, String why) {
        ClusterMap before = map;
        assertThat(MapCommands.refusal(apply(command))).isEqualTo(why);
        assertThat(map).isSameAs(before);
    }

    private Merge begun() {
        Merge merge = merge(map);
        assertThat(apply(new MapCommand.BeginMerge(merge))).isEqualTo(new MapOutcome.Done());
        return merge;
    }

    private static Move move(RangeId rangeId, MoveReason reason) {
        return new Move(
                rangeId,
                Optional.of(N2),
                Optional.of(N1),
                reason,
                new Generation(2),
                Instant.EPOCH);
    }

    @Test
    void mergeLeavesOneRangeAndTombstonesTheAbsorbedId() {
        Merge merge = begun();
        long version = map.version();
        MapCommand join = new MapCommand.JoinRanges(merge, new Generation(4), List.of(N1));
        MapApply.Applied applied = MapApply.apply(map, join);
        map = applied.map();

        RangeDescriptor joined =
                new RangeDescriptor(R1, KeyRange.ALL, new Generation(4), List.of(N1));
        assertThat(map.ranges().inKeyOrder()).containsExactly(joined);
        assertThat(map.ranges().onNode(N1)).containsExactly(R1);
        assertThat(map.merges()).isEmpty();
        assertThat(map.dead(R2))
                .contains(new DeadRange(R2, new Generation(4), R1, false, map.version()));
        assertThat(map.version()).isEqualTo(version + 1);
        assertThat(applied.delta().orElseThrow().removedRanges()).containsExactly(R2);
        assertThat(applied.delta().orElseThrow().ranges()).containsExactly(joined);
        refused(join, "range 1 has no such merge any more");

        map = split(map, R1, SPLIT_POINT);
        assertThat(map.ranges().find(R2)).as("no id returns").isEmpty();
        assertThat(map.ranges().find(new RangeId(3))).isPresent();
    }

    @Test
    void mergeIsRejected_whenRangesAreNotAdjacentOrAreChanging() {
        Merge merge = merge(map);
        refused(
                new MapCommand.BeginMerge(
                        new Merge(
                                R2,
                                R1,
                                merge.rightDecidedAt(),
                                merge.leftDecidedAt(),
                                MergeReason.QUIET,
                                Instant.EPOCH)),
                "range 1 does not begin where range 2 ends");
        refused(
                new MapCommand.BeginMerge(
                        new Merge(
                                R1,
                                new RangeId(9),
                                merge.leftDecidedAt(),
                                merge.rightDecidedAt(),
                                MergeReason.QUIET,
                                Instant.EPOCH)),
                "range 9 is not known");
        refused(
                new MapCommand.BeginMerge(
                        new Merge(
                                R1,
                                R2,
                                merge.leftDecidedAt(),
                                Generation.FIRST,
                                MergeReason.QUIET,
                                Instant.EPOCH)),
                "range 2 has generation 2, not 1 any more");
        ClusterMap before = map;
        apply(new MapCommand.BeginMove(move(R2, MoveReason.BALANCE)));
        refused(new MapCommand.BeginMerge(merge), "range 2 is being moved already");
        map = before;
        begun();
        refused(new MapCommand.BeginMerge(merge), "range 1 is being merged");
    }

    @Test
    void onlyMergeMovesOfRightRangeBegin_whileMergeRuns() {
        Merge merge = begun();
        for (RangeId rangeId : List.of(R1, R2)) {
            refused(
                    new MapCommand.BeginSplit(
                            rangeId,
                            new Generation(2),
                            Optional.empty(),
                            Optional.empty(),
                            SplitReason.LOAD,
                            Instant.EPOCH,
                            2),
                    "range " + rangeId + " is being merged");
            refused(
                    new MapCommand.BeginMove(move(rangeId, MoveReason.REPAIR)),
                    "range " + rangeId + " is being merged");
        }
        refused(new MapCommand.BeginMove(move(R1, MoveReason.MERGE)), "range 1 is being merged");
        ClusterMap before = map;
        assertThat(apply(new MapCommand.BeginMove(move(R2, MoveReason.MERGE))))
                .isEqualTo(new MapOutcome.Done());
        map = before;
        apply(new MapCommand.AbandonMerge(merge, Reason.words("no")));
        refused(new MapCommand.BeginMove(move(R2, MoveReason.MERGE)), "range 2 is being merged");
    }

    @Test
    void abortedMergeEnds_whenLeftRangeGenerationHasAdvanced() {
        Merge merge = begun();
        apply(new MapCommand.AbandonMerge(merge, Reason.words("no")));
        refused(new MapCommand.EndMerge(merge), "range 1 may still absorb range 2");
        // The right range's generations decide nothing.
        apply(new MapCommand.UpdateRange(R2, new Generation(2), new Generation(3), List.of(N1)));
        refused(new MapCommand.EndMerge(merge), "range 1 may still absorb range 2");

        apply(new MapCommand.UpdateRange(R1, new Generation(2), new Generation(3), List.of(N1)));
        refused(
                new MapCommand.JoinRanges(merge, new Generation(4), List.of(N1)),
                "range 1 has generation 3, not 2 any more");
        assertThat(apply(new MapCommand.EndMerge(merge))).isEqualTo(new MapOutcome.Done());
        assertThat(map.merges()).isEmpty();
        assertThat(map.ranges().size()).isEqualTo(2);
        refused(new MapCommand.EndMerge(merge), "range 1 has no such merge any more");
    }

    @Test
    void mergeCompletes_whenJoinArrivesAfterItsAbort() {
        Merge merge = begun();
        apply(new MapCommand.AbandonMerge(merge, Reason.words("no")));
        apply(new MapCommand.JoinRanges(merge, new Generation(4), List.of(N1)));
        assertThat(map.ranges().size()).isEqualTo(1);
    }

    @Test
    void joinIsRejected_whenGenerationIsNotAboveBothRanges() {
        Merge merge = begun();
        apply(new MapCommand.UpdateRange(R2, new Generation(2), new Generation(5), List.of(N1)));
        refused(
                new MapCommand.JoinRanges(merge, new Generation(5), List.of(N1)),
                "range 2 has generation 5 already, not before 5");
        assertThatThrownBy(() -> new MapCommand.JoinRanges(merge, new Generation(2), List.of(N1)))
                .hasMessage("generation: 2 (expected: after 2 and 2)");
        NodeId stranger = new NodeId("stranger");
        assertThat(apply(new MapCommand.JoinRanges(merge, new Generation(6), List.of(stranger))))
                .isEqualTo(new MapOutcome.UnknownMembers(List.of(stranger)));
    }

    @Test
    void absorbedRangeTombstonesAreEvicted_whenLimitIsReached() {
        RangeId recovered = new RangeId(Operations.DEAD_MAX + 2);
        Operations operations =
                Operations.NONE.withDead(new DeadRange(recovered, new Generation(2), R1, true, 0));
        for (int n = 1; n <= Operations.DEAD_MAX + 1; n++) {
            // The first to die has the highest id.
            RangeId rangeId = new RangeId(Operations.DEAD_MAX + 2 - n);
            operations =
                    operations.withDead(new DeadRange(rangeId, new Generation(2), R1, false, n));
        }
        assertThat(operations.dead()).hasSize(Operations.DEAD_MAX);
        assertThat(operations.dead()).doesNotContainKey(new RangeId(Operations.DEAD_MAX + 1));
        assertThat(operations.dead()).doesNotContainKey(new RangeId(Operations.DEAD_MAX));
        assertThat(operations.dead()).containsKey(new RangeId(1));
        assertThat(operations.dead()).as("its members could serve").containsKey(recovered);
    }
}
