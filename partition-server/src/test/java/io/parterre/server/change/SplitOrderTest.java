package io.parterre.server.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.change.SplitOrder.Verdict;
import io.parterre.server.command.ReplicaCommand;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SplitOrderTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final Set<NodeId> BOTH = Set.of(A, B);
    private static final RangeId PARENT = new RangeId(1);
    private static final RangeId CHILD = new RangeId(2);
    private static final Scope TABLE = Scope.ofTable(new AccountId(7), new ObjectId(11));
    private static final Key SPLIT_POINT = KeyCodec.partition(TABLE, "m");
    private static final RangeDescriptor WHOLE = range(PARENT, KeyRange.ALL, 4);
    private static final SplitOrder ORDER =
            new SplitOrder(
                    PARENT,
                    new Generation(4),
                    Optional.of(SPLIT_POINT),
                    List.of(CHILD),
                    Optional.empty());

    private static RangeDescriptor range(RangeId rangeId, KeyRange bounds, long generation) {
        return new RangeDescriptor(rangeId, bounds, new Generation(generation), List.of(A, B));
    }

    private static Verdict verdict(RangeDescriptor descriptor, Key... splitPoints) {
        return ORDER.verdict(descriptor, List.of(splitPoints), BOTH, Set.of(), List.of());
    }

    @Test
    void splitOrderIsExecuted_whenGenerationMatches() {
        assertThat(verdict(WHOLE, SPLIT_POINT)).isEqualTo(Verdict.SPLIT);
        assertThat(verdict(range(PARENT, KeyRange.ALL, 3), SPLIT_POINT))
                .isEqualTo(Verdict.OTHER_GENERATION);
        assertThat(verdict(range(PARENT, KeyRange.ALL, 5), SPLIT_POINT))
                .isEqualTo(Verdict.OTHER_GENERATION);
    }

    @Test
    void splitOrderIsRejected_whenSplitPointIsMissingOrInvalid() {
        assertThat(verdict(WHOLE)).isEqualTo(Verdict.NO_SPLIT_POINT);
        assertThat(verdict(WHOLE, KeyCodec.entity(TABLE, "m", "r")))
                .isEqualTo(Verdict.BAD_SPLIT_POINT);
        for (KeyRange bounds :
                List.of(
                        new KeyRange(SPLIT_POINT, Key.LAST),
                        new KeyRange(Key.FIRST, SPLIT_POINT))) {
            assertThat(verdict(range(PARENT, bounds, 4), SPLIT_POINT))
                    .isEqualTo(Verdict.BAD_SPLIT_POINT);
        }
    }

    @Test
    void splitOrderIsRejected_whileMembersChange() {
        List<Key> splitPoint = List.of(SPLIT_POINT);
        assertThat(ORDER.verdict(WHOLE, splitPoint, Set.of(A), Set.of(), List.of()))
                .isEqualTo(Verdict.MEMBERS_CHANGING);
        assertThat(ORDER.verdict(WHOLE, splitPoint, BOTH, Set.of(A), List.of()))
                .isEqualTo(Verdict.MEMBERS_CHANGING);
    }

    @Test
    void splitOrderIsDoneOrRejected_whenChildIdExists() {
        List<Key> splitPoint = List.of(SPLIT_POINT);
        RangeDescriptor head = range(PARENT, new KeyRange(Key.FIRST, SPLIT_POINT), 5);
        RangeDescriptor tail = range(CHILD, new KeyRange(SPLIT_POINT, Key.LAST), 5);

        assertThat(ORDER.verdict(head, splitPoint, BOTH, Set.of(), List.of(tail)))
                .isEqualTo(Verdict.DONE);
        // A split point the leader chose; a repeat would choose another.
        assertThat(ORDER.verdict(head, List.of(), BOTH, Set.of(), List.of(tail)))
                .isEqualTo(Verdict.DONE);
        assertThat(ORDER.verdict(WHOLE, splitPoint, BOTH, Set.of(), List.of(tail)))
                .isEqualTo(Verdict.CHILD_KNOWN);
    }

    @Test
    void multiSplitOrderIsDone_whenOneOfItsChildrenExists() {
        RangeId second = new RangeId(3);
        SplitOrder order =
                new SplitOrder(
                        PARENT,
                        new Generation(4),
                        Optional.empty(),
                        List.of(CHILD, second),
                        Optional.empty());
        Key later = KeyCodec.partition(TABLE, "t");
        assertThat(order.parts()).isEqualTo(3);
        assertThat(order.verdict(WHOLE, List.of(SPLIT_POINT, later), BOTH, Set.of(), List.of()))
                .isEqualTo(Verdict.SPLIT);
        assertThat(order.verdict(WHOLE, List.of(SPLIT_POINT), BOTH, Set.of(), List.of()))
                .as("fewer places than parts")
                .isEqualTo(Verdict.SPLIT);
        assertThat(order.verdict(WHOLE, List.of(SPLIT_POINT, Key.LAST), BOTH, Set.of(), List.of()))
                .isEqualTo(Verdict.BAD_SPLIT_POINT);

        RangeDescriptor head = range(PARENT, new KeyRange(Key.FIRST, SPLIT_POINT), 5);
        RangeDescriptor middle = range(CHILD, new KeyRange(SPLIT_POINT, later), 5);
        RangeDescriptor tail = range(second, new KeyRange(later, Key.LAST), 5);
        for (List<RangeDescriptor> there :
                List.of(List.of(middle, tail), List.of(middle), List.of(tail))) {
            assertThat(order.verdict(head, List.of(), BOTH, Set.of(), there))
                    .isEqualTo(Verdict.DONE);
        }
        assertThat(order.verdict(WHOLE, List.of(SPLIT_POINT), BOTH, Set.of(), List.of(tail)))
                .isEqualTo(Verdict.CHILD_KNOWN);
    }

    @Test
    void splitNamesAChildPerSplitPoint_whenChildrenOutnumberThem() {
        SplitOrder order =
                new SplitOrder(
                        PARENT,
                        new Generation(4),
                        Optional.empty(),
                        List.of(CHILD, new RangeId(3)),
                        Optional.empty());
        Duration wait = Duration.ofSeconds(1);
        assertThat(order.driver(List.of(SPLIT_POINT), wait))
                .isEqualTo(
                        new CommandDriver(
                                PARENT,
                                new ReplicaCommand.Split(new Generation(5), SPLIT_POINT, CHILD),
                                true,
                                wait));
    }
}
