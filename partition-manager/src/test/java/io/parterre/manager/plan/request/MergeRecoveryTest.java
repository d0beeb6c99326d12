package io.parterre.manager.plan.request;

import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static io.parterre.manager.plan.view.TwoRanges.LEFT;
import static io.parterre.manager.plan.view.TwoRanges.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.KeyRange;
import io.parterre.manager.map.DeadRange;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MergeReason;
import io.parterre.manager.plan.view.TwoRanges;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonText;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two ranges that are to become one lose their majority on the way. */
class MergeRecoveryTest {
    private static final RangeId NEXT = new RangeId(3);

    private final TwoRanges cluster = new TwoRanges(ids(1, 2, 3), ids(1, 2, 3));

    @BeforeEach
    void onlyTheThirdMemberIsLeft() {
        cluster.begin(MergeReason.OPERATOR);
        cluster.silent.add(id(1));
        cluster.silent.add(id(2));
    }

    private Verdict recover(RangeId rangeId) {
        return RangeRecovery.recover(cluster.view(), rangeId, Optional.empty(), true);
    }

    private void recovered(RangeId rangeId) {
        Verdict.Do done = (Verdict.Do) recover(rangeId);
        cluster.apply(done.commands().toArray(MapCommand[]::new));
    }

    @Test
    void rightRangeRecoveryIsRejected_untilLeftRangeIsRecovered() {
        assertThat(ReasonText.of(((Verdict.Refuse) recover(RIGHT)).why()))
                .isEqualTo(
                        "range 1 may still absorb range 2: it has to give that up, or to be"
                                + " recovered, before");

        recovered(LEFT);
        assertThat(cluster.map.merges()).isEmpty();
        assertThat(cluster.map.dead(LEFT))
                .contains(
                        new DeadRange(LEFT, new Generation(2), NEXT, true, cluster.map.version()));
        recovered(RIGHT);
        assertThat(cluster.map.ranges().find(RIGHT)).isEmpty();
        assertThat(cluster.map.recoveries()).hasSize(2);
        assertThat(cluster.map.ranges().inKeyOrder())
                .extracting(range -> range.rangeId().value())
                .containsExactly(3L, 4L);
    }

    @Test
    void rightRangeIsRecovered_afterLeftRangeAbortedTheMerge() {
        cluster.apply(
                new MapCommand.UpdateRange(
                        LEFT, new Generation(1), new Generation(2), ids(1, 2, 3)));
        recovered(RIGHT);
        assertThat(cluster.map.merges()).as("nothing is left to thaw").isEmpty();
        assertThat(cluster.map.isRetired(RIGHT)).isTrue();
        assertThat(cluster.map.isChanging(LEFT)).isFalse();
    }

    @Test
    void recoveredRangeOwnsAbsorbedKeys_whenSurvivorHasMerged() {
        cluster.knows(id(3), LEFT, 3, KeyRange.ALL);
        Verdict.Do done = (Verdict.Do) recover(LEFT);
        assertThat(done.effects())
                .extracting(Reason::toString)
                .contains("range 2, which it has absorbed, no longer exists");
        recovered(LEFT);

        assertThat(cluster.map.ranges().inKeyOrder())
                .singleElement()
                .satisfies(
                        range -> {
                            assertThat(range.rangeId()).isEqualTo(NEXT);
                            assertThat(range.bounds()).isEqualTo(KeyRange.ALL);
                            assertThat(range.generation()).isEqualTo(new Generation(4));
                        });
        assertThat(cluster.map.dead(RIGHT).map(DeadRange::recovered)).contains(false);
        assertThat(cluster.map.dead(RIGHT).map(DeadRange::successorId)).contains(LEFT);
        assertThat(cluster.map.dead(LEFT).map(DeadRange::recovered)).contains(true);
        assertThat(Said.of(recover(RIGHT))).isEqualTo("not found: range 2 was absorbed by range 1");
    }

    @Test
    void replicasOfBothRangesAreRemoved_afterRecoveredRangeIsLed() {
        cluster.knows(id(3), LEFT, 3, KeyRange.ALL);
        recovered(LEFT);
        cluster.silent.remove(id(1));
        cluster.holds(id(1), LEFT, 1);
        cluster.holds(id(1), RIGHT, 2);
        cluster.drops(id(3), RIGHT);
        assertThat(cluster.orders())
                .as("the first one may still have to take the survivor's place")
                .singleElement()
                .asString()
                .startsWith("n3: RecoverRange");

        cluster.drops(id(3), LEFT);
        cluster.leads(id(3), NEXT, 4);
        List<MapCommand> chores = cluster.chores();
        assertThat(chores)
                .containsExactly(
                        new MapCommand.EndRecovery(cluster.map.recovery(NEXT).orElseThrow()));
        cluster.apply(chores.get(0));
        assertThat(cluster.orders())
                .as("the left one's log may still absorb the right one there")
                .containsExactly("n1: remove 1@4");
        cluster.drops(id(1), LEFT);
        assertThat(cluster.orders()).containsExactly("n1: remove 2@3");
    }
}
