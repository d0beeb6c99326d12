package io.parterre.manager.plan.progress;

import static io.parterre.manager.plan.view.Maps.after;
import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Split;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A split from its order to the entry of the map that ends it. */
class SplitOrdersTest {
    private static final Key FIRST_SPLIT_POINT = Key.copyOf(new byte[] {7});
    private static final Key SECOND_SPLIT_POINT = Key.copyOf(new byte[] {8});
    private static final RangeId R2 = new RangeId(2);
    private static final RangeId R3 = new RangeId(3);

    private final MovingRange cluster = new MovingRange();

    @Test
    void splitCompletes_whenLeaderReportsItsNewBounds() {
        cluster.allMembersHold(1, 1);
        Split split = cluster.beginSplit();
        assertThat(cluster.orders()).containsExactly("n1: split 1 into 2");
        assertThat(Upkeep.due(cluster.view())).isEmpty();
        cluster.leads = Map.of(MovingRange.R1, id(2));
        assertThat(cluster.orders())
                .as("no other change meanwhile")
                .containsExactly("n1: split 1 into 2");

        Key splitPoint = Key.copyOf(new byte[] {7});
        cluster.leaderHas(2, new KeyRange(Key.FIRST, splitPoint));
        assertThat(cluster.orders()).as("the map has yet to hear of it").isEmpty();
        MapCommand completed =
                new MapCommand.CompleteSplit(split, splitPoint, new Generation(2), ids(1, 2, 3));
        assertThat(cluster.news()).containsExactly(Optional.of(completed));
        cluster.map = after(cluster.map, completed);
        assertThat(cluster.map.splits()).isEmpty();
        assertThat(cluster.map.ranges().find(new RangeId(2)).orElseThrow().bounds())
                .isEqualTo(new KeyRange(splitPoint, Key.LAST));
        assertThat(cluster.map.isConfirmed(new RangeId(2)))
                .as("its replicas are never made from nothing")
                .isTrue();
        assertThat(cluster.news()).isEmpty();
    }

    @Test
    void multiWaySplitIsRecorded_whenReportedChildrenCoverIt() {
        cluster.allMembersHold(1, 1);
        Split split = cluster.beginSplit(4);
        assertThat(cluster.orders()).containsExactly("n1: split 1 into 2,3,4");
        cluster.leaderHas(2, new KeyRange(Key.FIRST, FIRST_SPLIT_POINT));
        assertThat(cluster.news()).as("nobody has told where the children end").isEmpty();
        cluster.tells(1, R2, FIRST_SPLIT_POINT, SECOND_SPLIT_POINT);
        assertThat(cluster.news()).isEmpty();
        cluster.tells(3, R3, SECOND_SPLIT_POINT, Key.LAST);
        // There was no place for the fourth.
        MapCommand completed =
                new MapCommand.CompleteSplit(
                        split,
                        List.of(FIRST_SPLIT_POINT, SECOND_SPLIT_POINT),
                        new Generation(2),
                        ids(1, 2, 3));
        assertThat(cluster.news()).containsExactly(Optional.of(completed));
        cluster.map = after(cluster.map, completed);
        assertThat(cluster.map.splits()).isEmpty();
        assertThat(cluster.map.ranges().inKeyOrder())
                .extracting(range -> range.rangeId().value())
                .containsExactly(1L, 2L, 3L);
        assertThat(cluster.map.nextRangeId())
                .as("what was not needed is not used")
                .isEqualTo(new RangeId(5));
        assertThat(cluster.news()).isEmpty();
    }

    /** A server that does not know of further children makes one. */
    @Test
    void multiWaySplitBecomesTwoWay_whenServerMakesOneChild() {
        cluster.allMembersHold(1, 1);
        Split split = cluster.beginSplit(4);
        cluster.leaderHas(2, new KeyRange(Key.FIRST, FIRST_SPLIT_POINT));
        cluster.tells(2, R2, FIRST_SPLIT_POINT, Key.LAST);
        assertThat(cluster.news())
                .containsExactly(
                        Optional.of(
                                new MapCommand.CompleteSplit(
                                        split,
                                        FIRST_SPLIT_POINT,
                                        new Generation(2),
                                        ids(1, 2, 3))));
    }

    @Test
    void rejectedSplitEnds_whenRangeGenerationHasAdvanced() {
        cluster.allMembersHold(1, 1);
        Split split = cluster.beginSplit();
        cluster.refusals = List.of(new NodeReport.SplitRefusal(split.childId(), "no split point"));
        assertThat(cluster.orders()).isEmpty();
        MapCommand abandon =
                new MapCommand.AbandonSplit(split, ReasonCode.LEADER_REFUSED.of("no split point"));
        assertThat(Upkeep.due(cluster.view()))
                .extracting(Upkeep.Chore::command)
                .containsExactly(abandon);
        cluster.map = after(cluster.map, abandon);
        cluster.refusals = List.of();
        assertThat(cluster.orders()).containsExactly("n1: change 1[n1, n2, n3]");
        assertThat(Upkeep.due(cluster.view())).as("a split may be on its way").isEmpty();
        assertThat(after(cluster.map, new MapCommand.EndSplit(split)).splits()).hasSize(1);

        cluster.rangeBecomes(2, id(1), id(2), id(3));
        cluster.allMembersHold(2, 1);
        assertThat(Upkeep.due(cluster.view()))
                .extracting(Upkeep.Chore::command)
                .containsExactly(
                        new MapCommand.EndSplit(cluster.map.split(MovingRange.R1).orElseThrow()));
    }

    @Test
    void splitIsAborted_whenTimeoutPasses() {
        cluster.allMembersHold(1, 1);
        cluster.beginSplit();
        cluster.now = MovingRange.NOW.plus(SplitProgress.GIVE_UP_AFTER).plusMillis(1);
        assertThat(cluster.orders()).isEmpty();
        cluster.map = after(cluster.map, Upkeep.due(cluster.view()).get(0).command());
        assertThat(cluster.orders()).containsExactly("n1: change 1[n1, n2, n3]");
    }

    @Test
    void splitIsRecorded_whenItBeatsItsAbort() {
        cluster.allMembersHold(1, 1);
        Split split = cluster.beginSplit();
        cluster.map = after(cluster.map, new MapCommand.AbandonSplit(split, Reason.words("late")));
        cluster.leaderHas(2, new KeyRange(Key.FIRST, Key.copyOf(new byte[] {7})));
        cluster.map = after(cluster.map, cluster.news().get(0).orElseThrow());
        assertThat(cluster.map.ranges().size()).isEqualTo(2);
        assertThat(cluster.map.splits()).isEmpty();
    }
}
