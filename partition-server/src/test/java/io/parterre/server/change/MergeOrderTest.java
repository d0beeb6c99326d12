package io.parterre.server.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.change.MergeOrder.Side;
import io.parterre.server.change.MergeOrder.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class MergeOrderTest {
    private static final Key SPLIT_POINT = Key.copyOf(new byte[] {2});
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final MergeOrder ORDER =
            new MergeOrder(new RangeId(1), new Generation(4), new RangeId(2), new Generation(7));
    private static final Optional<RangeId> FOR_LEFT = Optional.of(new RangeId(1));

    private static RangeDescriptor left(long generation) {
        return new RangeDescriptor(
                new RangeId(1),
                new KeyRange(Key.FIRST, SPLIT_POINT),
                new Generation(generation),
                List.of(A, B));
    }

    private static RangeDescriptor right(long generation, Optional<RangeId> frozenFor) {
        return right(generation, frozenFor, 4);
    }

    private static RangeDescriptor right(
            long generation, Optional<RangeId> frozenFor, long frozenAt) {
        return new RangeDescriptor(
                new RangeId(2),
                new KeyRange(SPLIT_POINT, Key.LAST),
                new Generation(generation),
                List.of(B, A),
                frozenFor,
                frozenFor.map(left -> new Generation(frozenAt)));
    }

    private static Side side(RangeDescriptor range) {
        return new Side(range, true, Set.of(A, B), Set.of());
    }

    private static Verdict verdict(RangeDescriptor left, RangeDescriptor right) {
        return ORDER.verdict(side(left), Optional.of(side(right)));
    }

    @Test
    void mergeOrderIsExecuted_whenRangesMatchOrRightIsFrozen() {
        assertThat(verdict(left(4), right(7, Optional.empty()))).isEqualTo(Verdict.MERGE);
        assertThat(verdict(left(4), right(8, FOR_LEFT))).isEqualTo(Verdict.MERGE);
        assertThat(ORDER.joined()).isEqualTo(new Generation(9));
        assertThat(
                        new MergeOrder(
                                        new RangeId(1),
                                        new Generation(20),
                                        new RangeId(2),
                                        new Generation(7))
                                .joined())
                .isEqualTo(new Generation(21));
    }

    @Test
    void mergeOrderIsDone_whenRightIsGoneAndLeftAdvanced() {
        assertThat(ORDER.verdict(side(left(9)), Optional.empty())).isEqualTo(Verdict.DONE);
        assertThat(ORDER.verdict(side(left(4)), Optional.empty())).isEqualTo(Verdict.NOT_LEADING);
    }

    @Test
    void mergeOrderThawsRightRange_whenMergeWasAborted() {
        assertThat(verdict(left(5), right(8, FOR_LEFT))).isEqualTo(Verdict.THAW);
        // By an order before: the leader that has seen that given up may thaw it at any moment.
        assertThat(verdict(left(4), right(8, FOR_LEFT, 3))).isEqualTo(Verdict.THAW);
        assertThat(verdict(left(5), right(8, Optional.of(new RangeId(3)))))
                .isEqualTo(Verdict.OTHER_GENERATION);
        assertThat(verdict(left(5), right(9, Optional.empty())))
                .isEqualTo(Verdict.OTHER_GENERATION);
    }

    @Test
    void mergeOrderIsRejected_whenGenerationOrFreezeDiffers() {
        assertThat(verdict(left(3), right(7, Optional.empty())))
                .isEqualTo(Verdict.OTHER_GENERATION);
        assertThat(verdict(left(4), right(8, Optional.empty())))
                .isEqualTo(Verdict.OTHER_GENERATION);
        assertThat(verdict(left(4), right(8, Optional.of(new RangeId(3)))))
                .isEqualTo(Verdict.OTHER_GENERATION);
        assertThat(verdict(left(4), right(10, FOR_LEFT))).isEqualTo(Verdict.OTHER_GENERATION);
    }

    @Test
    void mergeOrderIsRejected_whenNotAdjacentOrMembersDiffer() {
        RangeDescriptor apart =
                new RangeDescriptor(
                        new RangeId(2),
                        new KeyRange(SPLIT_POINT.next(), Key.LAST),
                        new Generation(7),
                        List.of(A, B));
        assertThat(verdict(left(4), apart)).isEqualTo(Verdict.NOT_NEIGHBOURS);
        Side right = side(right(7, Optional.empty()));
        Side alone = new Side(right.descriptor(), true, Set.of(A), Set.of());
        Side changing = new Side(right.descriptor(), true, Set.of(A, B), Set.of(A));
        Side elsewhere =
                new Side(
                        new RangeDescriptor(
                                new RangeId(2),
                                new KeyRange(SPLIT_POINT, Key.LAST),
                                new Generation(7),
                                List.of(A)),
                        true,
                        Set.of(A),
                        Set.of());
        for (Side other : List.of(alone, changing, elsewhere)) {
            assertThat(ORDER.verdict(side(left(4)), Optional.of(other)))
                    .isEqualTo(Verdict.MEMBERS_CHANGING);
        }
        assertThat(
                        ORDER.verdict(
                                new Side(left(4), true, Set.of(A, B), Set.of(B)),
                                Optional.of(right)))
                .isEqualTo(Verdict.MEMBERS_CHANGING);
    }

    @Test
    void mergeOrderIsRejected_whenRightRangeIsNotLedHere() {
        Side right = new Side(right(7, Optional.empty()), false, Set.of(A, B), Set.of());
        assertThat(ORDER.verdict(side(left(4)), Optional.of(right))).isEqualTo(Verdict.NOT_LEADING);
    }

    @Test
    void mergeOrderIsRejected_whenRangesAreTheSame() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                new MergeOrder(
                                        new RangeId(1),
                                        Generation.FIRST,
                                        new RangeId(1),
                                        Generation.FIRST));
    }
}
