package io.parterre.manager.plan.decide;

import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static io.parterre.manager.plan.view.TwoRanges.LEFT;
import static io.parterre.manager.plan.view.TwoRanges.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.DisruptionLease;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MergeReason;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.explain.Explanation;
import io.parterre.manager.plan.policy.MergePolicy;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.TwoRanges;
import io.parterre.manager.reason.ByteCount;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.Generation;
import io.parterre.range.RangeDescriptor;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MergePlannerTest {
    private static final Duration OLD = Duration.ofMinutes(30);
    private static final MergePolicy ON = new MergePolicy(true, OLD, 1, 1);

    private TwoRanges cluster = new TwoRanges(ids(1, 2, 3), ids(1, 2, 3));

    @BeforeEach
    void quiet() {
        cluster.policy = Policy.DEFAULT.withMerge(ON);
        cluster.isAsked(LEFT, 10, OLD, 100);
        cluster.isAsked(RIGHT, 20, OLD, 200);
        cluster.peaked(LEFT, 400);
        cluster.peaked(RIGHT, 500);
    }

    private Plan plan() {
        return Planner.plan(cluster.view(), cluster.policy);
    }

    private void isLeft(Decision.Cause cause, String why) {
        assertThat(plan().merges()).isEmpty();
        assertThat(plan().left())
                .anySatisfy(
                        left -> {
                            assertThat(left.cause()).isEqualTo(cause);
                            assertThat(left.why()).asString().contains(why);
                        });
    }

    /** Of a pair that is no candidate the plan says nothing, since there may be very many. */
    private void staysTwo(String why) {
        assertThat(plan().merges()).isEmpty();
        RangeDescriptor right = cluster.range(RIGHT);
        assertThat(Explanation.of(cluster.view(), plan(), right))
                .anyMatch(
                        reason ->
                                reason.startsWith("ranges 1 and 2 stay two: ")
                                        && reason.contains(why));
    }

    @Test
    void quietNeighboursAreMerged_withReasonOnBothRanges() {
        assertThat(plan().merges())
                .containsExactly(
                        new Decision.Merge(
                                LEFT,
                                Generation.FIRST,
                                RIGHT,
                                Generation.FIRST,
                                MergeReason.QUIET,
                                ReasonCode.ARE_QUIET.of(RIGHT, 900.0, 5, new ByteCount(300))));
        assertThat(Explanation.of(cluster.view(), plan(), cluster.range(RIGHT)))
                .anyMatch(
                        reason ->
                                reason.equals(
                                        "decided: range 2 and this one are quiet: at most 900 operations a"
                                                + " second were asked of both in 5 minutes, they"
                                                + " hold 300 bytes"));
    }

    @Test
    void mergeIsSkipped_whenCombinedLoadPeakExceedsLimit() {
        cluster.peaked(RIGHT, 851);
        staysTwo("up to 1251 operations a second were asked of them");
        cluster.peaked(RIGHT, 850);
        assertThat(plan().merges()).hasSize(1);
        cluster.peaks.remove(LEFT);
        staysTwo("was not heard for long enough");
    }

    @Test
    void mergeIsSkipped_whenCombinedSizeExceedsLimit() {
        cluster.isAsked(LEFT, 10, OLD, 8L << 30);
        staysTwo("they hold 8.0 GiB (limit: 8GiB)");
        cluster.isAsked(RIGHT, 10, OLD, 0);
        assertThat(plan().merges())
                .extracting(Decision.Merge::reason)
                .containsExactly(MergeReason.EMPTY);
    }

    @Test
    void mergeIsSkipped_whenARangeChangedTooRecently() {
        cluster.isAsked(RIGHT, 20, OLD.minusSeconds(1), 200);
        staysTwo("range 2 has been as it is, and led where it is, for 1799 s only (needed: 1800)");
    }

    @Test
    void mergeWaits_whileNodesAreUnhealthyOrRangesNeedRepair() {
        cluster.silent.add(id(5));
        isLeft(Decision.Cause.NOT_SETTLED, "merging waits: node n5 is not well");
        cluster.silent.clear();
        cluster.apply(
                new MapCommand.TakeDisruptionLease(
                        new DisruptionLease(id(5), cluster.now.plusSeconds(60), ""), cluster.now));
        isLeft(Decision.Cause.NOT_SETTLED, "merging waits: node n5 may be down for a while");
        cluster.apply(new MapCommand.ReturnDisruptionLease(id(5)));
        cluster.drops(id(3), RIGHT);
        isLeft(Decision.Cause.NOT_SETTLED, "merging waits: ranges have other needs");
    }

    @Test
    void mergeIsSkipped_whileRangeIsAlreadyMerging() {
        cluster.begin(MergeReason.OPERATOR);
        assertThat(plan().merges()).isEmpty();
    }

    @Test
    void mergeIsSkipped_whileLeadershipIsDraining() {
        cluster.apply(new MapCommand.SetNodeState(id(1), NodeState.LEADERSHIP_DRAINED));
        assertThat(plan().leads()).isNotEmpty();
        assertThat(plan().merges()).isEmpty();
    }

    @Test
    void mergesPerNodeAndClusterStayWithinLimits() {
        Ledger ledger = new Ledger(cluster.view(), cluster.policy);
        RangeDescriptor left = cluster.range(LEFT);
        RangeDescriptor right = cluster.range(RIGHT);
        assertThat(ledger.hasRoomToMerge(left, right)).isTrue();
        ledger.beginMerge(left, right);
        assertThat(ledger.hasRoomToMerge(left, right)).isFalse();

        Policy more = cluster.policy.withMerge(new MergePolicy(true, OLD, 2, 1));
        Ledger wider = new Ledger(cluster.view(), more);
        wider.beginMerge(left, right);
        assertThat(wider.hasRoomToMerge(left, right)).as("of one node").isFalse();
        assertThat(wider.isChanging(RIGHT)).isTrue();
    }

    @Test
    void mergeIsSkipped_whenAReceivingNodeIsFull() {
        cluster = new TwoRanges(ids(1, 2, 3), ids(1, 2, 4));
        quiet();
        assertThat(plan().merges()).hasSize(1);
        cluster.policy = cluster.policy.withReplicasPerNodeMax(1);
        isLeft(Decision.Cause.NO_NODE, "node n3 would have to take a replica");
    }

    @Test
    void automaticMergeIsOff_byDefault() {
        cluster.policy = Policy.DEFAULT;
        assertThat(Policy.DEFAULT.merge().enabled()).isFalse();
        assertThat(plan().isQuiet()).isTrue();
        assertThat(Explanation.of(cluster.view(), plan(), cluster.range(LEFT)))
                .noneMatch(reason -> reason.contains("stay two"));
    }

    @Test
    void mergingGoesOn_whenRemovedNodeIsSilent() {
        cluster.silent.add(id(5));
        assertThat(plan().merges()).isEmpty();
        cluster.apply(
                new MapCommand.SetNodeState(id(5), NodeState.DECOMMISSIONING),
                new MapCommand.SetNodeState(id(5), NodeState.REMOVED));
        assertThat(plan().merges()).hasSize(1);
    }
}
