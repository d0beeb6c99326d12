package io.parterre.server.apply;

import static io.parterre.server.apply.AppliedRange.TABLE;
import static io.parterre.server.apply.AppliedRange.submitted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.parterre.entity.EntityCodec;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.command.EntityOperation;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.ReplicaCommand.Absorb;
import io.parterre.server.command.ReplicaCommand.FenceScope;
import io.parterre.server.command.ReplicaCommand.Freeze;
import io.parterre.server.command.ReplicaCommand.SetMembers;
import io.parterre.server.command.ReplicaCommand.Split;
import io.parterre.server.command.ReplicaCommand.Thaw;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class MergeTest {
    private static final Key SPLIT_POINT = KeyCodec.partition(TABLE, "m");
    private static final RangeId LEFT = new RangeId(1);
    private static final RangeId RIGHT = new RangeId(2);
    private static final Generation SECOND = new Generation(2);
    private static final Generation THIRD = new Generation(3);
    private static final Generation FOURTH = new Generation(4);
    private static final Freeze FREEZE = new Freeze(THIRD, LEFT, SECOND);
    private static final Outcome FROZEN = new Outcome.RangeFrozen(THIRD, true);
    private static final Outcome JOINED = new Outcome.RangeAbsorbed(FOURTH, true);
    private static final Key SCOPE = KeyCodec.scope(TABLE);

    private final AppliedRange left = new AppliedRange();
    private AppliedRange right;

    @BeforeEach
    void split() {
        left.apply(100, 1, 1, 1, new Split(SECOND, SPLIT_POINT, RIGHT));
        right = left.child();
        left.neighbours = (descriptor, index) -> right.frozen();
    }

    private static ReplicaCommand insert(String partition, String row) {
        return AppliedRange.batch(
                new EntityOperation(
                        EntityOperation.Kind.INSERT,
                        KeyCodec.entity(TABLE, partition, row),
                        EntityCodec.encodeBlock(List.of()),
                        OptionalLong.empty()));
    }

    private static Outcome written(long ticks) {
        return new Outcome.Written(new long[] {ticks});
    }

    private RangeDescriptor right() {
        return right.range().descriptor();
    }

    private Absorb absorb() {
        return new Absorb(FOURTH, SECOND, right(), 10);
    }

    /** As the store has it: both ranges' rows lie in one. */
    private void join() {
        left.view.rows.putAll(right.view.rows);
        right.view.rows.clear();
    }

    private void merge() {
        assertThat(right.apply(200, 1, 2, 2, FREEZE)).isEqualTo(FROZEN);
        join();
        assertThat(left.apply(201, 1, 3, 3, absorb())).isEqualTo(JOINED);
    }

    @Test
    void leftRangeCoversBoundsOfRightRange_afterMerge() {
        merge();

        RangeDescriptor joined = left.range().descriptor();
        assertThat(joined.rangeId()).isEqualTo(LEFT);
        assertThat(joined.bounds()).isEqualTo(KeyRange.ALL);
        assertThat(joined.generation()).isEqualTo(FOURTH);
        assertThat(joined.isFrozen()).isFalse();
        assertThat(left.view.takenIn).containsExactly(right.range());
        assertThat(left.apply(202, 6, 1, 0, insert("x", "r"))).isEqualTo(written(202));
    }

    @Test
    void rangeRejectsCommandsAndKeepsItsRows_whileFrozen() {
        right.apply(150, 5, 1, 0, insert("x", "r"));
        right.apply(151, 1, 2, 2, FREEZE);
        assertThat(right().frozenFor()).contains(LEFT);
        assertThat(right().generation()).isEqualTo(THIRD);
        Map<String, String> before = right.view.dump();

        List<Outcome> outcomes =
                right.applyEntry(
                        900,
                        List.of(
                                // Also what would be recalled, and would settle something.
                                submitted(5, 1, 0, insert("x", "r")),
                                submitted(5, 9, 9, insert("x", "s")),
                                submitted(6, 1, 0, new FenceScope(SCOPE)),
                                submitted(1, 3, 3, new Freeze(FOURTH, LEFT, SECOND)),
                                submitted(
                                        1,
                                        4,
                                        4,
                                        new Split(
                                                FOURTH,
                                                KeyCodec.partition(TABLE, "z"),
                                                new RangeId(3))),
                                submitted(
                                        1,
                                        5,
                                        5,
                                        new SetMembers(
                                                FOURTH, List.of(AppliedRange.member("node-2")))),
                                submitted(1, 6, 6, new Thaw(THIRD))));
        assertThat(outcomes)
                .containsExactly(
                        new Outcome.StaleRange(),
                        new Outcome.StaleRange(),
                        new Outcome.StaleRange(),
                        new Outcome.RangeFrozen(THIRD, false),
                        new Outcome.RangeSplit(THIRD, false),
                        new Outcome.MembersSet(THIRD),
                        new Outcome.RangeThawed(THIRD, false));
        assertThat(right.view.dump()).isEqualTo(before);
        right.restart();
        assertThat(right.apply(901, 5, 9, 9, insert("x", "s"))).isEqualTo(new Outcome.StaleRange());
        assertThat(right.view.dump()).isEqualTo(before);
    }

    @Test
    void commandAfterFreezeRunsOnceInMergedRange_whenInSameLogEntry() {
        List<Outcome> outcomes =
                right.applyEntry(
                        150,
                        List.of(
                                submitted(5, 1, 0, insert("x", "r")),
                                submitted(1, 2, 2, FREEZE),
                                submitted(5, 2, 0, insert("x", "s"))));
        assertThat(outcomes).containsExactly(written(150), FROZEN, new Outcome.StaleRange());
        join();
        left.apply(201, 1, 3, 3, absorb());

        // It is executed where its keys are now, once.
        assertThat(left.apply(202, 5, 2, 0, insert("x", "s"))).isEqualTo(written(202));
        assertThat(left.apply(203, 5, 2, 0, insert("x", "s"))).isEqualTo(written(202));
        assertThat(left.apply(204, 5, 1, 0, insert("x", "r"))).isEqualTo(written(150));
    }

    @Test
    void rangeTakesWritesAndDeduplicates_afterThaw() {
        right.apply(150, 5, 1, 0, insert("x", "r"));
        right.apply(151, 1, 2, 2, FREEZE);
        assertThat(right.apply(152, 1, 3, 3, new Thaw(FOURTH)))
                .isEqualTo(new Outcome.RangeThawed(FOURTH, true));

        assertThat(right().isFrozen()).isFalse();
        assertThat(right.apply(153, 5, 1, 0, insert("x", "r"))).isEqualTo(written(150));
        assertThat(right.apply(154, 5, 2, 0, insert("x", "s"))).isEqualTo(written(154));
        // Late, or again.
        assertThat(right.apply(155, 1, 4, 4, new Thaw(new Generation(5))))
                .isEqualTo(new Outcome.RangeThawed(FOURTH, false));
        assertThat(right.apply(156, 1, 5, 5, FREEZE))
                .isEqualTo(new Outcome.RangeFrozen(FOURTH, false));
    }

    @Test
    void lateAbsorbIsRejected_whenLeftGenerationHasAdvanced() {
        right.apply(150, 1, 2, 2, FREEZE);
        Absorb late = absorb();
        left.apply(151, 1, 3, 3, new SetMembers(THIRD, List.of(AppliedRange.member("node-1"))));

        assertThat(left.apply(152, 1, 4, 4, late))
                .isEqualTo(new Outcome.RangeAbsorbed(THIRD, false));
        assertThat(left.range().descriptor().bounds())
                .isEqualTo(new KeyRange(Key.FIRST, SPLIT_POINT));
        assertThat(left.view.takenIn).isEmpty();
    }

    @Test
    void absorbIsRejected_whenBoundsMembersOrFreezeDoNotMatch() {
        right.apply(150, 1, 2, 2, FREEZE);
        RangeDescriptor frozen = right();
        Outcome unchanged = new Outcome.RangeAbsorbed(SECOND, false);
        RangeDescriptor forAnother =
                new RangeDescriptor(
                        RIGHT,
                        frozen.bounds(),
                        frozen.generation(),
                        frozen.members(),
                        Optional.of(new RangeId(7)),
                        frozen.frozenAt());
        RangeDescriptor elsewhere =
                new RangeDescriptor(
                        RIGHT,
                        new KeyRange(KeyCodec.partition(TABLE, "n"), Key.LAST),
                        frozen.generation(),
                        frozen.members(),
                        frozen.frozenFor(),
                        frozen.frozenAt());
        RangeDescriptor onOthers =
                new RangeDescriptor(
                        RIGHT,
                        frozen.bounds(),
                        frozen.generation(),
                        List.of(AppliedRange.member("node-2").nodeId()),
                        frozen.frozenFor(),
                        frozen.frozenAt());
        for (RangeDescriptor other : List.of(forAnother, elsewhere, onOthers)) {
            assertThat(left.apply(151, new Absorb(FOURTH, SECOND, other, 10)))
                    .containsExactly(unchanged);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Absorb(THIRD, SECOND, frozen, 10));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new Absorb(FOURTH, SECOND, AppliedRange.whole().descriptor(), 10));
        // Frozen for another generation of the left one, which somebody may have seen given up.
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Absorb(FOURTH, Generation.FIRST, frozen, 10));
    }

    @Test
    void applyOfAbsorbThrows_whenNeighbourDiffersFromLogEntry() {
        right.apply(150, 1, 2, 2, FREEZE);
        Absorb command = absorb();
        right.apply(151, 1, 3, 3, new Thaw(FOURTH));
        right.apply(152, 1, 4, 4, new Freeze(new Generation(5), LEFT, SECOND));

        assertThatIllegalStateException().isThrownBy(() -> left.apply(153, 1, 5, 5, command));
    }

    @Test
    void mergedRangeDeduplicatesRequests_fromBothFormerRanges() {
        left.apply(150, 5, 1, 0, insert("a", "r"));
        right.apply(151, 5, 2, 0, insert("x", "r"));
        left.apply(152, 6, 8, 8, insert("a", "s"));
        right.apply(153, 6, 9, 9, insert("x", "s"));
        merge();

        for (int life = 0; life < 2; life++) {
            assertThat(left.apply(202, 5, 1, 0, insert("a", "r"))).isEqualTo(written(150));
            assertThat(left.apply(203, 5, 2, 0, insert("x", "r"))).isEqualTo(written(151));
            assertThat(left.apply(204, 6, 8, 0, insert("a", "s")))
                    .isEqualTo(new Outcome.Forgotten());
            assertThat(left.apply(205, 6, 9, 0, insert("x", "s"))).isEqualTo(written(153));
            left.restart();
        }
        assertThat(left.apply(206, 5, 3, 3, insert("x", "t"))).isEqualTo(written(206));
        assertThat(left.apply(207, 5, 2, 0, insert("x", "r"))).isEqualTo(new Outcome.Forgotten());
    }

    @Test
    void rangeDeduplicatesEarlierRequest_afterSplitAndMerge() {
        // Before any split, in a range of its own.
        AppliedRange whole = new AppliedRange();
        whole.apply(90, 5, 1, 0, insert("x", "r"));
        whole.apply(91, 1, 1, 1, new Split(SECOND, SPLIT_POINT, RIGHT));
        AppliedRange part = whole.child();
        part.apply(92, 1, 2, 2, FREEZE);
        whole.view.rows.putAll(part.view.rows);
        whole.neighbours = (descriptor, index) -> part.frozen();
        whole.apply(93, 1, 3, 3, new Absorb(FOURTH, SECOND, part.range().descriptor(), 1));

        assertThat(whole.apply(94, 5, 1, 0, insert("x", "r"))).isEqualTo(written(90));
        whole.restart();
        assertThat(whole.apply(95, 5, 1, 0, insert("x", "r"))).isEqualTo(written(90));
    }

    @Test
    void mergedRangeTimestampsIncrease_whenRightClockWasAhead() {
        right.apply(9_000, 5, 1, 0, insert("x", "r"));
        merge();
        assertThat(left.apply(300, 5, 2, 0, insert("x", "s"))).isEqualTo(written(9_001));
        left.restart();
        assertThat(left.apply(301, 5, 3, 0, insert("a", "s"))).isEqualTo(written(9_002));
    }

    @Test
    void tableFenceCoversMergedRange_whenOnlyLeftRangeWasFenced() {
        left.apply(150, 5, 1, 0, insert("a", "r"));
        right.apply(150, 5, 2, 0, insert("x", "r"));
        left.apply(151, 5, 3, 0, new FenceScope(SCOPE));
        merge();

        assertThat(left.state.fences()).containsExactly(SCOPE);
        assertThat(left.view.rows).isEmpty();
        assertThat(left.apply(203, 6, 1, 0, insert("x", "s"))).isEqualTo(new Outcome.ScopeFenced());
        left.restart();
        assertThat(left.state.fences()).containsExactly(SCOPE);
        // Who goes on from where the first fence ended is told how far it reaches now.
        assertThat(left.apply(204, 5, 4, 0, new FenceScope(SCOPE)))
                .isEqualTo(new Outcome.Fenced(Optional.of(Key.LAST)));
    }

    @Test
    void tableFenceCoversMergedRange_whenOnlyRightRangeWasFenced() {
        left.apply(150, 5, 1, 0, insert("a", "r"));
        right.apply(151, 5, 3, 0, new FenceScope(SCOPE));
        merge();
        assertThat(left.view.rows).isEmpty();
        assertThat(left.apply(203, 6, 1, 0, insert("a", "s"))).isEqualTo(new Outcome.ScopeFenced());
    }

    @Test
    void mergedRangeNeverReexecutes_whenDeduplicationLimitIsExceeded() {
        OutcomeLimits few = new OutcomeLimits(1_000, 10_000, 1_000, 6, 100);
        AppliedRange small = new AppliedRange(few);
        small.apply(100, 1, 1, 1, new Split(SECOND, SPLIT_POINT, RIGHT));
        AppliedRange part = small.child();
        for (int i = 0; i < 5; i++) {
            small.apply(110 + i, 5, 10 + i, 0, insert("a", "r" + i));
            part.apply(110 + i, 6, 20 + i, 0, insert("x", "r" + i));
        }
        part.apply(200, 1, 2, 2, FREEZE);
        small.view.rows.putAll(part.view.rows);
        small.neighbours = (descriptor, index) -> part.frozen();
        small.apply(201, 1, 3, 3, new Absorb(FOURTH, SECOND, part.range().descriptor(), 1));

        // Forgotten or known, but never done again.
        for (int life = 0; life < 2; life++) {
            for (int i = 0; i < 5; i++) {
                assertThat(small.apply(210, 5, 10 + i, 0, insert("a", "r" + i)))
                        .isIn(written(110 + i), new Outcome.Forgotten());
                assertThat(small.apply(211, 6, 20 + i, 0, insert("x", "r" + i)))
                        .isIn(written(110 + i), new Outcome.Forgotten());
            }
            small.restart();
        }
    }

    /** So no sender that repeats it has it done again. */
    @Test
    void mergeIsForgotten_whenAbsorbedRangeHasItSettled() {
        right.apply(150, 1, 9, 9, insert("x", "r"));
        assertThat(right.apply(200, 1, 10, 10, FREEZE)).isEqualTo(FROZEN);
        join();
        assertThat(left.apply(201, 1, 3, 3, absorb())).isEqualTo(JOINED);
        assertThat(left.apply(202, 1, 3, 3, absorb())).isEqualTo(new Outcome.Forgotten());
    }

    @Test
    void frozenRangeIsRejected_whenItIsNotFrozenOrNotThere() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FrozenRange(right.range(), List.of()))
                .withMessageContaining("(expected: frozen)");
        assertThatIllegalStateException()
                .isThrownBy(() -> FrozenRange.Neighbours.NONE.frozen(right(), 10))
                .withMessage("range 2 (expected: no neighbour)");
    }
}
