package io.parterre.manager.plan.progress;

import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static io.parterre.manager.plan.view.TwoRanges.LEFT;
import static io.parterre.manager.plan.view.TwoRanges.NOW;
import static io.parterre.manager.plan.view.TwoRanges.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.KeyRange;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Merge;
import io.parterre.manager.map.MergeReason;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.MoveReason;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.decide.Decision;
import io.parterre.manager.plan.decide.Planner;
import io.parterre.manager.plan.policy.MergePolicy;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.plan.view.TwoRanges;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MergeOrdersTest {
    private final TwoRanges cluster = new TwoRanges(ids(1, 2, 3), ids(2, 1, 3));

    private void follows(RangeId rangeId, long generation) {
        cluster.apply(
                new MapCommand.UpdateRange(
                        rangeId,
                        cluster.range(rangeId).generation(),
                        new Generation(generation),
                        cluster.range(rangeId).members()));
    }

    private String why() {
        MergeProgress progress =
                MergeProgress.of(cluster.view(), cluster.map.merge(LEFT).orElseThrow());
        return progress instanceof MergeProgress.Impossible hopeless
                ? hopeless.why().toString()
                : progress.toString();
    }

    @Test
    void mergeOrdersRun_fromLeaderTransferToJoinedRange() {
        Merge merge = cluster.begin(MergeReason.OPERATOR);
        assertThat(cluster.orders()).containsExactly("n2: transfer 2 to n1");
        cluster.leads(id(1), RIGHT, 1);
        assertThat(cluster.orders()).containsExactly("n1: merge 1@1 and 2@1");
        assertThat(cluster.chores()).isEmpty();

        cluster.leadsFrozen(id(1), RIGHT, 2);
        assertThat(cluster.orders()).as("the map follows first").isEmpty();
        assertThat(cluster.news(id(1)))
                .containsExactly(
                        Optional.of(
                                new MapCommand.UpdateRange(
                                        RIGHT, Generation.FIRST, new Generation(2), ids(2, 1, 3))));
        follows(RIGHT, 2);
        assertThat(cluster.orders())
                .as("the present leader goes on")
                .containsExactly("n1: merge 1@1 and 2@1");

        for (NodeId node : ids(1, 2, 3)) {
            cluster.drops(node, RIGHT);
        }
        cluster.holds(id(2), LEFT, 3);
        assertThat(cluster.chores()).as("its leader has yet to tell").isEmpty();
        KeyRange all = KeyRange.ALL;
        cluster.leads(id(1), LEFT, 3, all, Optional.empty());
        MapCommand told = new MapCommand.JoinRanges(merge, new Generation(3), ids(1, 2, 3));
        assertThat(cluster.news(id(1))).containsExactly(Optional.of(told));
        cluster.apply(told);
        assertThat(cluster.map.ranges().size()).isEqualTo(1);
        assertThat(cluster.map.merges()).isEmpty();
        assertThat(cluster.orders()).isEmpty();
        assertThat(cluster.news(id(1))).isEmpty();
    }

    @Test
    void rightRangeMovesToMembersOfLeftRange_beforeMerge() {
        TwoRanges apart = new TwoRanges(ids(1, 2, 3), ids(4, 1, 5));
        apart.begin(MergeReason.OPERATOR);
        assertThat(apart.orders()).isEmpty();
        assertThat(Planner.plan(apart.view(), apart.policy).changes())
                .containsExactly(
                        new Decision.ChangeMembers(
                                RIGHT,
                                Generation.FIRST,
                                Optional.of(id(2)),
                                Optional.of(id(5)),
                                MoveReason.MERGE,
                                ReasonCode.ABSORBED_WITH_SAME_MEMBERS.of(LEFT)));
        Move move =
                new Move(
                        RIGHT,
                        Optional.of(id(2)),
                        Optional.of(id(5)),
                        MoveReason.MERGE,
                        Generation.FIRST,
                        NOW);
        apart.apply(new MapCommand.BeginMove(move));
        assertThat(apart.orders()).hasSize(1).first().asString().startsWith("n2: JoinReplica");
        assertThat(Planner.plan(apart.view(), apart.policy).changes())
                .as("one at a time")
                .isEmpty();

        apart.apply(
                new MapCommand.AbandonMerge(
                        apart.map.merge(LEFT).orElseThrow(), Reason.words("not wanted")));
        assertThat(apart.orders())
                .containsExactlyInAnyOrder(
                        "n4: change 2@1[n4, n1, n5]", "n1: change 1@1[n1, n2, n3]");
    }

    @Test
    void frozenRangeThaws_whenAbortedMergeRaisedLeftGeneration() {
        Merge merge = cluster.begin(MergeReason.OPERATOR);
        cluster.leadsFrozen(id(1), RIGHT, 2);
        follows(RIGHT, 2);
        cluster.apply(new MapCommand.AbandonMerge(merge, Reason.words("late")));
        assertThat(cluster.orders()).containsExactly("n1: change 1@1[n1, n2, n3]");
        assertThat(cluster.chores()).as("a join may be on its way").isEmpty();

        cluster.leads(id(1), LEFT, 2);
        assertThat(cluster.orders()).as("the map has yet to hear of it").isEmpty();
        follows(LEFT, 2);
        assertThat(cluster.orders()).containsExactly("n1: thaw 2@2");
        assertThat(cluster.chores()).as("it takes no requests yet").isEmpty();

        cluster.leads(id(1), RIGHT, 3);
        assertThat(cluster.chores()).as("the map has yet to hear of it").isEmpty();
        follows(RIGHT, 3);
        assertThat(cluster.orders()).isEmpty();
        assertThat(cluster.chores())
                .containsExactly(new MapCommand.EndMerge(cluster.map.merge(LEFT).orElseThrow()));
    }

    @Test
    void frozenRangeThaws_whenItsMergeIsNoLongerKnown() {
        Merge merge = cluster.begin(MergeReason.OPERATOR);
        cluster.apply(new MapCommand.AbandonMerge(merge, Reason.words("late")));
        follows(LEFT, 2);
        cluster.leads(id(1), LEFT, 2);
        cluster.apply(new MapCommand.EndMerge(merge));
        cluster.leadsFrozen(id(2), RIGHT, 2);
        assertThat(cluster.orders()).as("a map that is behind may lack a merge").isEmpty();
        follows(RIGHT, 2);
        assertThat(cluster.orders()).containsExactly("n2: thaw 2@2");
    }

    @Test
    void joinIsAccepted_whenItArrivesAfterMergeAbort() {
        Merge merge = cluster.begin(MergeReason.OPERATOR);
        cluster.apply(new MapCommand.AbandonMerge(merge, Reason.words("late")));
        cluster.leads(id(1), LEFT, 3, KeyRange.ALL, Optional.empty());
        assertThat(cluster.orders()).isEmpty();
        cluster.apply(cluster.news(id(1)).get(0).orElseThrow());
        assertThat(cluster.map.ranges().size()).isEqualTo(1);
    }

    /** Its bounds decide whether the right range may be thawed. */
    @Test
    void leftRangeReportIsIgnored_whenItLacksBounds() {
        cluster.begin(MergeReason.OPERATOR);
        NodeReport report =
                new NodeReport(
                        cluster.map.node(id(1)).orElseThrow(),
                        cluster.map.clusterId(),
                        List.of(
                                new NodeReport.Replica(
                                        LEFT,
                                        new Generation(2),
                                        true,
                                        1,
                                        1,
                                        ids(1, 2, 3),
                                        List.of(),
                                        false)));
        assertThat(Upkeep.news(cluster.view(), report)).isEmpty();
    }

    @Test
    void reportedBoundsAreIgnored_whenNeitherOriginalNorMerged() {
        cluster.begin(MergeReason.OPERATOR);
        KeyRange half =
                new KeyRange(
                        cluster.range(LEFT).bounds().start(),
                        cluster.range(LEFT).bounds().endExclusive().append(new byte[] {1}));
        cluster.leads(id(1), LEFT, 3, half, Optional.empty());
        assertThat(cluster.news(id(1))).containsExactly(Optional.empty());
    }

    @Test
    void absorbedReplicaIsRemoved_whenNoLocalReplicaMustAbsorbIt() {
        Merge merge = cluster.begin(MergeReason.OPERATOR);
        cluster.apply(new MapCommand.JoinRanges(merge, new Generation(3), ids(1, 2, 3)));
        cluster.reported();
        cluster.holds(id(4), RIGHT, 2);
        assertThat(cluster.orders()).as("a node that was away").containsExactly("n4: remove 2@3");

        cluster.drops(id(4), RIGHT);
        cluster.holds(id(2), RIGHT, 2);
        assertThat(cluster.orders()).as("a late report").containsExactly("n2: remove 2@3");
        cluster.holds(id(2), LEFT, 1);
        assertThat(cluster.orders()).as("its replica has yet to absorb it").isEmpty();
        cluster.joins(id(2), LEFT, 2);
        assertThat(cluster.orders())
                .as("a copy of the wider range could not come")
                .containsExactly("n2: remove 2@3");
    }

    @Test
    void mergeIsAborted_whenAMemberIsLost() {
        cluster.begin(MergeReason.OPERATOR);
        cluster.drops(id(3), RIGHT);
        assertThat(why()).isEqualTo("node n3 is not well with its replica of range 2");
        assertThat(cluster.orders()).isEmpty();
        assertThat(cluster.chores())
                .containsExactly(
                        new MapCommand.AbandonMerge(
                                cluster.map.merge(LEFT).orElseThrow(),
                                ReasonCode.MEMBER_IS_NOT_WELL.of(id(3), RIGHT)));
    }

    @Test
    void mergeIsAborted_whenAMemberNodeDrainsLeadership() {
        cluster.begin(MergeReason.OPERATOR);
        cluster.apply(new MapCommand.SetNodeState(id(3), NodeState.LEADERSHIP_DRAINED));
        assertThat(why()).isEqualTo("node n3 is to transfer its leadership");
    }

    @Test
    void mergeIsAborted_whenLeaderRejectsItOrTimeoutPasses() {
        cluster.begin(MergeReason.OPERATOR);
        cluster.refusals =
                List.of(new NodeReport.MergeRefusal(LEFT, new Generation(9), RIGHT, "old"));
        assertThat(why()).as("another one").isEqualTo("Going[step=LEAD]");
        cluster.refusals =
                List.of(new NodeReport.MergeRefusal(LEFT, Generation.FIRST, RIGHT, "behind"));
        assertThat(why()).isEqualTo("its leader refused: behind");
        cluster.refusals = List.of();
        cluster.now = NOW.plus(MergeProgress.GIVE_UP_AFTER);
        assertThat(why()).isEqualTo("not done within 60 s");

        TwoRanges apart = new TwoRanges(ids(1, 2, 3), ids(4, 1, 5));
        Merge merge = apart.begin(MergeReason.OPERATOR);
        apart.now = NOW.plus(Duration.ofMinutes(59));
        assertThat(MergeProgress.of(apart.view(), merge))
                .as("replicas take long to move")
                .isEqualTo(new MergeProgress.Going(MergeProgress.Step.MEMBERS));
    }

    @Test
    void automaticMergeIsAborted_whenDisabledOrLoadRises() {
        cluster.begin(MergeReason.QUIET);
        assertThat(why()).isEqualTo("ranges are to be merged on demand only");
        cluster.policy =
                Policy.DEFAULT.withMerge(new MergePolicy(true, Duration.ofMinutes(1), 1, 1));
        assertThat(why()).isEqualTo("Going[step=LEAD]");
        cluster.isAsked(LEFT, 700, Duration.ofHours(1), 1);
        cluster.isAsked(RIGHT, 551, Duration.ofHours(1), 1);
        assertThat(why()).isEqualTo("they are not quiet any more");
    }

    @Test
    void mergeIsAborted_whenFrozenRangeIsLedElsewhere() {
        cluster.begin(MergeReason.OPERATOR);
        cluster.leadsFrozen(id(2), RIGHT, 2);
        follows(RIGHT, 2);
        assertThat(why()).isEqualTo("range 2 is frozen, and led elsewhere");
    }

    @Test
    void frozenMergeIsAborted_whenMemberIsSilentPastStartGrace() {
        cluster.begin(MergeReason.OPERATOR);
        cluster.leadsFrozen(id(1), RIGHT, 2);
        follows(RIGHT, 2);
        cluster.silent.add(id(3));
        cluster.leadSince = NOW.minusSeconds(4);
        assertThat(why()).isEqualTo("Going[step=JOIN]");
        cluster.leadSince = NOW.minusSeconds(5);
        assertThat(why()).isEqualTo("node n3 is not well with its replica of range 1");
    }
}
