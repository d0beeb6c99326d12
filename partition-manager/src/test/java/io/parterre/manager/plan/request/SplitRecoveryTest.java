package io.parterre.manager.plan.request;

import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static io.parterre.manager.plan.view.TwoRanges.LEFT;
import static io.parterre.manager.plan.view.TwoRanges.NOW;
import static io.parterre.manager.plan.view.TwoRanges.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.SplitReason;
import io.parterre.manager.plan.view.TwoRanges;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonText;
import io.parterre.range.Generation;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A range that lost its majority while it was split, of which the managers have not heard. */
class SplitRecoveryTest {
    private static final Key SPLIT_POINT = Key.wrap(new byte[] {1});
    private static final Key LATER = Key.wrap(new byte[] {1, 1});
    private static final RangeId CHILD = new RangeId(3);
    private static final RangeId SECOND = new RangeId(4);

    private final TwoRanges cluster = new TwoRanges(ids(1, 2, 3), ids(1, 2, 3));
    private KeyRange whole;

    @BeforeEach
    void onlyTheThirdMemberIsLeft() {
        whole = cluster.range(LEFT).bounds();
        cluster.silent.addAll(ids(1, 2));
    }

    private void isSplit(int parts) {
        cluster.apply(
                new MapCommand.BeginSplit(
                        LEFT,
                        Generation.FIRST,
                        Optional.empty(),
                        Optional.empty(),
                        SplitReason.SIZE,
                        NOW,
                        parts));
    }

    private Verdict recover(RangeId rangeId) {
        return RangeRecovery.recover(cluster.view(), rangeId, Optional.empty(), true);
    }

    private void recovered(RangeId rangeId) {
        Verdict.Do done = (Verdict.Do) recover(rangeId);
        cluster.apply(done.commands().toArray(MapCommand[]::new));
    }

    @Test
    void childBecomesKnown_whenSurvivorHasSplitPointTheRange() {
        isSplit(2);
        cluster.knows(id(3), LEFT, 2, new KeyRange(whole.start(), SPLIT_POINT));
        assertThat(((Verdict.Do) recover(LEFT)).effects())
                .extracting(Reason::toString)
                .containsExactly(
                        "range 3, split from it, becomes known; it has lost its majority too",
                        "range 4 takes the place of range 1, with all that the replica and the log"
                                + " of node n3 hold",
                        "other nodes that hold a replica of range 1, or come back with one, give"
                                + " it up",
                        "range 4 gets replicas on other nodes, up to 3");
        recovered(LEFT);
        assertThat(cluster.map.splits()).isEmpty();
        assertThat(cluster.range(new RangeId(4)).bounds())
                .isEqualTo(new KeyRange(whole.start(), SPLIT_POINT));
        RangeDescriptor child = cluster.range(CHILD);
        assertThat(child.bounds()).isEqualTo(new KeyRange(SPLIT_POINT, whole.endExclusive()));
        assertThat(child.members()).isEqualTo(ids(1, 2, 3));
        assertThat(cluster.map.ranges().inKeyOrder())
                .extracting(RangeDescriptor::rangeId)
                .containsExactly(new RangeId(4), CHILD, RIGHT);
    }

    @Test
    void allChildrenBecomeKnown_whenSurvivorTellsOfThem() {
        isSplit(3);
        cluster.knows(id(3), LEFT, 2, new KeyRange(whole.start(), SPLIT_POINT));
        assertThat(ReasonText.of(((Verdict.Refuse) recover(LEFT)).why()))
                .as("where the first child ends is not known")
                .startsWith("the replica of node n3 has other bounds than the map: ");
        cluster.knows(id(3), CHILD, 2, new KeyRange(SPLIT_POINT, LATER));
        assertThat(((Verdict.Do) recover(LEFT)).effects().get(0))
                .hasToString(
                        "range 3, 4, split from it, becomes known; it has lost its majority too");
        recovered(LEFT);
        assertThat(cluster.range(CHILD).bounds()).isEqualTo(new KeyRange(SPLIT_POINT, LATER));
        assertThat(cluster.range(SECOND).bounds())
                .isEqualTo(new KeyRange(LATER, whole.endExclusive()));
    }

    @Test
    void fewerChildrenBecomeKnown_whenRangeHadTooFewSplitPoints() {
        isSplit(3);
        cluster.knows(id(3), LEFT, 2, new KeyRange(whole.start(), SPLIT_POINT));
        cluster.knows(id(3), CHILD, 2, new KeyRange(SPLIT_POINT, whole.endExclusive()));
        recovered(LEFT);
        assertThat(cluster.range(CHILD).bounds())
                .isEqualTo(new KeyRange(SPLIT_POINT, whole.endExclusive()));
        assertThat(cluster.map.ranges().find(SECOND)).isEmpty();
    }

    @Test
    void recoveryIsRejected_whenBoundsDifferAndNoSplitIsKnown() {
        cluster.knows(id(3), LEFT, 2, new KeyRange(whole.start(), SPLIT_POINT));
        assertThat(ReasonText.of(((Verdict.Refuse) recover(LEFT)).why()))
                .startsWith("the replica of node n3 has other bounds than the map: ")
                .contains("(expected: " + whole + ")");
    }
}
