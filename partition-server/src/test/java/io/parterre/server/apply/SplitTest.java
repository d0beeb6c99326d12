package io.parterre.server.apply;

import static io.parterre.server.apply.AppliedRange.TABLE;
import static io.parterre.server.apply.AppliedRange.submitted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.parterre.entity.EntityCodec;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.range.Generation;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.command.EntityOperation;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.ReplicaCommand.FenceScope;
import io.parterre.server.command.ReplicaCommand.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class SplitTest {
    private static final Key SPLIT_POINT = KeyCodec.partition(TABLE, "m");
    private static final RangeId CHILD = new RangeId(2);
    private static final Generation SECOND = Generation.FIRST.next();
    private static final Split SPLIT = new Split(SECOND, SPLIT_POINT, CHILD);
    private static final Outcome DONE = new Outcome.RangeSplit(SECOND, true);
    private static final Key SCOPE = KeyCodec.scope(TABLE);

    private final AppliedRange parent = new AppliedRange();

    private static ReplicaCommand insert(String partition) {
        return AppliedRange.batch(
                new EntityOperation(
                        EntityOperation.Kind.INSERT,
                        KeyCodec.entity(TABLE, partition, "r"),
                        EntityCodec.encodeBlock(List.of()),
                        OptionalLong.empty()));
    }

    private static Scope table(long id) {
        return Scope.ofTable(TABLE.accountId(), new ObjectId(id));
    }

    private static ReplicaCommand left() {
        return insert("a");
    }

    private static ReplicaCommand right() {
        return insert("x");
    }

    private static Outcome written(long ticks) {
        return new Outcome.Written(new long[] {ticks});
    }

    private static Outcome unchanged(long generation) {
        return new Outcome.RangeSplit(new Generation(generation), false);
    }

    private RangeDescriptor descriptor() {
        return parent.range().descriptor();
    }

    @Test
    void splitEndsParentAndStartsChildAtSplitPoint() {
        assertThat(parent.apply(100, SPLIT)).containsExactly(DONE);

        assertThat(descriptor().bounds()).isEqualTo(new KeyRange(Key.FIRST, SPLIT_POINT));
        assertThat(descriptor().generation()).isEqualTo(SECOND);
        RangeDescriptor child = parent.view.children.get(0).range().descriptor();
        assertThat(child)
                .isEqualTo(
                        new RangeDescriptor(
                                CHILD,
                                new KeyRange(SPLIT_POINT, Key.LAST),
                                SECOND,
                                AppliedRange.whole().descriptor().members()));
    }

    @Test
    void splitIsRejected_whenGenerationSplitPointOrChildIdIsWrong() {
        parent.apply(100, SPLIT);

        // Late, or by a leader that did not know.
        assertThat(parent.apply(101, new Split(SECOND, KeyCodec.partition(TABLE, "b"), CHILD)))
                .containsExactly(unchanged(2));
        assertThat(
                        parent.apply(
                                102,
                                new Split(
                                        new Generation(4),
                                        KeyCodec.partition(TABLE, "b"),
                                        new RangeId(3))))
                .containsExactly(unchanged(2));
        Generation third = new Generation(3);
        for (Key outside : List.of(SPLIT_POINT, KeyCodec.partition(TABLE, "z"))) {
            assertThat(parent.apply(103, new Split(third, outside, new RangeId(3))))
                    .containsExactly(unchanged(2));
        }
        assertThat(
                        parent.apply(
                                104,
                                new Split(third, KeyCodec.partition(TABLE, "b"), new RangeId(1))))
                .containsExactly(unchanged(2));
        assertThat(parent.view.children).hasSize(1);
    }

    private static ReplicaCommand.SplitPoint splitPoint(String partition, long childId) {
        return new ReplicaCommand.SplitPoint(
                KeyCodec.partition(TABLE, partition), new RangeId(childId));
    }

    private static Split inFour() {
        return new Split(
                SECOND, List.of(splitPoint("d", 2), splitPoint("m", 3), splitPoint("t", 4)));
    }

    @Test
    void childrenShareRememberedOutcomes_whenRangeIsSplitInFour() {
        parent.apply(99, left());
        parent.apply(101, inFour());
        List<OwnRow> outcomes =
                parent.view.children.stream()
                        .flatMap(child -> child.own().stream())
                        .filter(row -> row.key().kind() == OwnKey.Kind.OUTCOMES)
                        .toList();
        assertThat(outcomes).hasSize(3);
        assertThat(outcomes).allSatisfy(row -> assertThat(row).isSameAs(outcomes.get(0)));
    }

    @Test
    void splitDividesRangeInFour_whenThreeSplitPointsAreGiven() {
        parent.apply(99, left());
        parent.apply(100, new ReplicaCommand.FenceScope(SCOPE));
        assertThat(parent.apply(101, inFour())).containsExactly(DONE);

        List<RangeDescriptor> parts = new ArrayList<>();
        parts.add(descriptor());
        parent.view.children.forEach(child -> parts.add(child.range().descriptor()));
        assertThat(parts)
                .extracting(part -> part.rangeId().value())
                .containsExactly(1L, 2L, 3L, 4L);
        // Every key is in one of them.
        Key end = Key.FIRST;
        for (RangeDescriptor part : parts) {
            assertThat(part.bounds().start()).isEqualTo(end);
            assertThat(part.generation()).isEqualTo(SECOND);
            assertThat(part.members()).isEqualTo(AppliedRange.whole().descriptor().members());
            end = part.bounds().endExclusive();
        }
        assertThat(end).isEqualTo(Key.LAST);
        // Each remembers what was done, and what is fenced.
        for (int i = 0; i < 3; i++) {
            assertThat(parent.view.children.get(i).own())
                    .anyMatch(row -> row.key().kind() == OwnKey.Kind.FENCE)
                    .anyMatch(row -> row.key().kind() == OwnKey.Kind.SENDER);
        }
    }

    @Test
    void multiSplitIsRejectedWhole_whenOneSplitPointIsInvalid() {
        parent.apply(100, SPLIT);
        Generation third = new Generation(3);
        assertThat(
                        parent.apply(
                                101,
                                new Split(third, List.of(splitPoint("b", 3), splitPoint("z", 4)))))
                .as("the last lies outside")
                .containsExactly(unchanged(2));
        assertThat(
                        parent.apply(
                                102,
                                new Split(third, List.of(splitPoint("b", 3), splitPoint("c", 1)))))
                .as("the last has the range's own id")
                .containsExactly(unchanged(2));
        assertThat(parent.view.children).hasSize(1);
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new Split(third, List.of(splitPoint("c", 3), splitPoint("b", 4))));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new Split(third, List.of(splitPoint("b", 3), splitPoint("c", 3))));
        assertThatIllegalArgumentException().isThrownBy(() -> new Split(third, List.of()));
    }

    @Test
    void duplicateSplitReturnsFirstOutcomeWithoutSecondChild() {
        parent.apply(100, AppliedRange.SENDER, 7, 0, SPLIT);

        assertThat(parent.apply(101, AppliedRange.SENDER, 7, 0, SPLIT)).isEqualTo(DONE);
        assertThat(parent.view.children).hasSize(1);
    }

    @Test
    void splitPointIsRejected_whenNotAtPartitionBoundary() {
        Key inside = KeyCodec.entity(TABLE, "m", "r");
        assertThatIllegalArgumentException().isThrownBy(() -> new Split(SECOND, inside, CHILD));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Split(SECOND, inside.prefix(19), CHILD));
        assertThatIllegalArgumentException().isThrownBy(() -> new Split(SECOND, Key.FIRST, CHILD));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Split(SECOND, Key.wrap(new byte[] {0, 1}), CHILD));
        // A table, an account and a key space begin where a partition does.
        for (int length : new int[] {1, 9, 17}) {
            assertThat(new Split(SECOND, SCOPE.prefix(length), CHILD).firstSplitPoint().length())
                    .isEqualTo(length);
        }
    }

    @Test
    void commandOnChildKeysRunsOnlyInChild_whenLoggedAfterSplit() {
        List<Outcome> outcomes =
                parent.applyEntry(
                        100,
                        List.of(
                                submitted(1, 1, 0, SPLIT),
                                submitted(5, 1, 0, right()),
                                submitted(5, 2, 0, left())));
        assertThat(outcomes).containsExactly(DONE, new Outcome.StaleRange(), written(100));
        assertThat(parent.view.rows.keySet()).containsExactly(KeyCodec.entity(TABLE, "a", "r"));

        AppliedRange child = parent.child();
        assertThat(child.apply(101, 5, 1, 0, right())).isEqualTo(written(101));
        // Nothing is remembered of it where it was refused, and it stays refused.
        assertThat(parent.apply(102, 5, 1, 0, right())).isEqualTo(new Outcome.StaleRange());
        parent.restart();
        assertThat(parent.apply(103, 5, 1, 0, right())).isEqualTo(new Outcome.StaleRange());
    }

    @Test
    void parentAndChildDeduplicateRequests_fromBeforeSplit() {
        parent.apply(100, 5, 1, 0, right());
        List<Outcome> same =
                parent.applyEntry(
                        105, List.of(submitted(5, 2, 0, right()), submitted(1, 1, 0, SPLIT)));
        AppliedRange child = parent.child();

        for (AppliedRange side : List.of(parent, child)) {
            assertThat(side.apply(110, 5, 1, 0, right())).isEqualTo(written(100));
            assertThat(side.apply(110, 5, 2, 0, right())).isEqualTo(same.get(0));
        }
        child.restart();
        assertThat(child.apply(111, 5, 1, 0, right())).isEqualTo(written(100));
    }

    @Test
    void splitChildInheritsSettledMarksAndClock() {
        parent.apply(500, 5, 9, 9, left());
        parent.apply(501, 1, 1, 0, SPLIT);
        AppliedRange child = parent.child();

        assertThat(child.apply(502, 5, 8, 0, right())).isEqualTo(new Outcome.Forgotten());
        // The clock of another leader lags.
        assertThat(child.apply(100, 5, 10, 0, right())).isEqualTo(written(502));
    }

    @Test
    void splitChildInheritsOnlyTableFencesOfOwnKeys() {
        Key elsewhere = KeyCodec.scope(table(1));
        parent.apply(100, new FenceScope(SCOPE), new FenceScope(elsewhere));
        parent.apply(101, SPLIT);
        AppliedRange child = parent.child();

        assertThat(child.state.fences()).containsExactly(SCOPE);
        assertThat(child.apply(102, 6, 1, 0, right())).isEqualTo(new Outcome.ScopeFenced());
    }

    @Test
    void tableFenceReturnsReachedUpperBound_afterSplit() {
        parent.apply(100, 5, 1, 0, right());
        List<Outcome> outcomes =
                parent.applyEntry(
                        101,
                        List.of(
                                submitted(1, 1, 0, SPLIT),
                                submitted(5, 2, 0, new FenceScope(SCOPE))));

        assertThat(outcomes.get(1)).isEqualTo(new Outcome.Fenced(Optional.of(SPLIT_POINT)));
        AppliedRange child = parent.child();
        assertThat(child.state.fences()).isEmpty();
        assertThat(child.apply(102, 5, 3, 0, new FenceScope(SCOPE)))
                .isEqualTo(new Outcome.Fenced(Optional.of(Key.LAST)));
        assertThat(child.view.rows).isEmpty();
        // One of a table that lies wholly beyond is not the range's any more.
        Key beyond = KeyCodec.scope(table(99));
        assertThat(parent.apply(103, 5, 4, 0, new FenceScope(beyond)))
                .isEqualTo(new Outcome.StaleRange());
    }
}
