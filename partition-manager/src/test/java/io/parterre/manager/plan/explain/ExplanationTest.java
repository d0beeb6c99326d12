package io.parterre.manager.plan.explain;

import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static io.parterre.manager.plan.view.TwoRanges.LEFT;
import static io.parterre.manager.plan.view.TwoRanges.NOW;
import static io.parterre.manager.plan.view.TwoRanges.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.DisruptionLease;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MergeReason;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.MoveReason;
import io.parterre.manager.map.SplitReason;
import io.parterre.manager.plan.decide.Decision;
import io.parterre.manager.plan.decide.Plan;
import io.parterre.manager.plan.decide.Planner;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.policy.PolicyTable;
import io.parterre.manager.plan.policy.SplitPolicy;
import io.parterre.manager.plan.progress.MergeProgress;
import io.parterre.manager.plan.progress.SplitProgress;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.plan.view.RangeLoad;
import io.parterre.manager.plan.view.TwoRanges;
import io.parterre.manager.reason.Reason;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExplanationTest {
    private TwoRanges cluster = new TwoRanges(ids(1, 2, 3), ids(1, 2, 3));

    private Plan plan() {
        return Planner.plan(cluster.view(), cluster.policy);
    }

    private List<String> explained() {
        return Explanation.of(cluster.view(), plan(), cluster.range(LEFT));
    }

    @Test
    void explanationGivesRepairDeadline_whenMemberIsSilent() {
        assertThat(explained()).noneMatch(reason -> reason.contains("SILENT"));
        cluster.silent.add(id(3));
        cluster.leadSince = cluster.now.minusSeconds(30);
        assertThat(explained())
                .anyMatch(reason -> reason.startsWith("2 of 3 members are healthy"))
                .anyMatch(
                        reason ->
                                reason.equals(
                                        "member n3 is SILENT: nothing was heard of its node for 30 s,"
                                                + " after 120 s its replica is rebuilt elsewhere"));
    }

    @Test
    void explanationStatesRangeSizeAndRequestRates() {
        cluster.isAsked(LEFT, 387, Duration.ofMinutes(1), 35L << 29);
        assertThat(explained())
                .anyMatch(
                        reason ->
                                reason.startsWith(
                                                "it holds 17.5 GiB; 387 reads and 0 writes a second")
                                        && reason.contains(", 0 more refused, "));
    }

    @Test
    void splitReasonStatesSizeAndLimit_whenRangeIsTooLarge() {
        cluster.policy =
                cluster.policy.withSplit(
                        new SplitPolicy(true, 2_500, 700, 16L << 30, Duration.ofSeconds(10), 8));
        cluster.isAsked(LEFT, 10, Duration.ofMinutes(1), 35L << 29);
        assertThat(plan().splits())
                .extracting(split -> split.why().toString())
                .containsExactly("it holds 17.5 GiB (limit: 16GiB)");
        cluster.policy = cluster.policy.withReplicasPerNodeMax(2);
        assertThat(plan().left())
                .extracting(left -> left.why().toString())
                .contains(
                        "it holds 17.5 GiB (limit: 16GiB), node n1 holds as many replicas as a node"
                                + " may");
    }

    private List<String> explained(RangeId rangeId, Decision... decisions) {
        return Explanation.of(cluster.view(), new Plan(List.of(decisions)), cluster.range(rangeId));
    }

    /** The one reason that begins so, without that. */
    private String explained(String begin) {
        List<String> fitting =
                explained(LEFT).stream().filter(reason -> reason.startsWith(begin)).toList();
        assertThat(fitting).as(begin).hasSize(1);
        return fitting.get(0).substring(begin.length());
    }

    @Test
    void explanationSaysThatNothingIsToBeDone_whenAllIsWell() {
        assertThat(explained(LEFT))
                .containsExactly(
                        "3 of 3 members are healthy, 3 are wanted",
                        "nothing is to be done about it");
        assertThat(
                        explained(
                                LEFT,
                                new Decision.Leave(
                                        Optional.empty(),
                                        Decision.Cause.BALANCED,
                                        Reason.words("even")),
                                new Decision.Leave(
                                        Optional.of(RIGHT),
                                        Decision.Cause.NO_NODE,
                                        Reason.words("none"))))
                .as("what concerns it, or the cluster")
                .containsExactly(
                        "3 of 3 members are healthy, 3 are wanted",
                        "nothing is to be done about it",
                        "of the cluster: even");
    }

    @Test
    void explanationListsDecisions_whenPlanConcernsRange() {
        assertThat(
                        explained(
                                RIGHT,
                                new Decision.TransferLead(
                                        RIGHT, id(1), id(2), Reason.words("n1 leads more")),
                                new Decision.Merge(
                                        LEFT,
                                        Generation.FIRST,
                                        RIGHT,
                                        Generation.FIRST,
                                        MergeReason.QUIET,
                                        Reason.words("both are quiet")),
                                new Decision.TransferLead(
                                        LEFT, id(1), id(3), Reason.words("n1 leads more")),
                                new Decision.Leave(
                                        Optional.of(RIGHT),
                                        Decision.Cause.NO_NODE,
                                        Reason.words("3 nodes")),
                                new Decision.Leave(
                                        Optional.empty(),
                                        Decision.Cause.BALANCED,
                                        Reason.words("even"))))
                .containsExactly(
                        "3 of 3 members are healthy, 3 are wanted",
                        "decided: n1 leads more",
                        "decided: both are quiet",
                        "left alone, NO_NODE: 3 nodes");
    }

    @Test
    void explanationSaysWhyMemberIsSilent() {
        cluster.leadSince = cluster.now.minusSeconds(30);
        cluster.silent.add(id(3));
        cluster.apply(
                new MapCommand.TakeDisruptionLease(
                        new DisruptionLease(id(3), NOW.plusSeconds(60), ""), NOW));
        assertThat(explained("member n3 is SILENT: "))
                .isEqualTo(
                        "nothing was heard of its node for 30 s, which holds the disruption permit");
        cluster.silent.clear();
        cluster.restarting.add(id(3));
        cluster.drops(id(3), LEFT);
        assertThat(explained("member n3 is SILENT: "))
                .isEqualTo("its node tells of no replica, it may be about to start");
        cluster.stalled.add(id(3));
        assertThat(explained("member n3 is SILENT: "))
                .isEqualTo("the disk of its node does not answer");
    }

    @Test
    void explanationNamesDamage_whenReplicaIsDamagedButServes() {
        cluster.holdsDamaged(id(3), LEFT, 1, "a bad block");
        assertThat(explained(LEFT)).noneMatch(reason -> reason.startsWith("member n3 is"));
        assertThat(explained("what member n3 holds is damaged: ")).isEqualTo("a bad block");
    }

    @Test
    void explanationNamesLastLeader_whenRangeHasNone() {
        cluster.silent.add(id(1));
        assertThat(explained("no member claims its leadership"))
                .isEqualTo(", the last to do so was n1");
        cluster.holds(id(1), LEFT, 1);
        assertThat(explained("no member claims its leadership")).isEmpty();
    }

    @Test
    void explanationSaysWhereLoadFalls() {
        Map<RangeLoad.Shape, String> where =
                Map.of(
                        RangeLoad.Shape.UNKNOWN, "too few were seen to tell where",
                        RangeLoad.Shape.SPREAD, "spread over its keys",
                        RangeLoad.Shape.ONE_PARTITION, "most of them of one partition",
                        RangeLoad.Shape.MOVING_TAIL, "on ever later keys");
        assertThat(where).containsOnlyKeys(RangeLoad.Shape.values());
        where.forEach(
                (shape, words) -> {
                    cluster.isAsked(
                            LEFT,
                            new RangeLoad(
                                    387,
                                    12,
                                    0,
                                    3,
                                    250,
                                    Duration.ofMinutes(1),
                                    shape,
                                    Optional.empty(),
                                    0),
                            3L << 29);
                    assertThat(explained("it holds "))
                            .isEqualTo(
                                    "1.5 GiB; 387 reads and 12 writes a second are asked of it,"
                                            + " 3 more refused, "
                                            + words
                                            + "; they take 0.25 of a core");
                });
    }

    @Test
    void explanationSaysThatRangeIsBeingFounded_untilMembersReport() {
        TwoRanges founding = TwoRanges.founding(ids(1, 2, 3));
        assertThat(Explanation.of(founding.view(), Plan.NONE, founding.range(LEFT)))
                .containsExactly(
                        "3 of 3 members are healthy, 3 are wanted",
                        "not all members have reported it yet: it is being founded");
    }

    private void begins(int add, int remove, MoveReason reason) {
        cluster.apply(
                new MapCommand.BeginMove(
                        new Move(
                                LEFT,
                                Optional.of(id(add)),
                                Optional.of(id(remove)),
                                reason,
                                Generation.FIRST,
                                NOW)));
    }

    private void follows(int generation, int... members) {
        Generation before = cluster.range(LEFT).generation();
        cluster.apply(
                new MapCommand.UpdateRange(LEFT, before, new Generation(generation), ids(members)));
    }

    @Test
    void explanationNamesNextStep_whileRangeIsMoved() {
        begins(4, 3, MoveReason.OPERATOR);
        String move = "a move is under way because of OPERATOR, ";
        assertThat(explained(move)).isEqualTo("node n4 has to make a replica");
        cluster.joins(id(4), LEFT, 1);
        assertThat(explained(move)).isEqualTo("node n4 gets the data and joins");
        follows(2, 1, 2, 3, 4);
        assertThat(explained(move)).isEqualTo("node n4 has joined and catches up");
        cluster.holds(id(4), LEFT, 2);
        assertThat(explained(move)).isEqualTo("node n3 has to leave");
        cluster.leads(id(3), LEFT, 2);
        assertThat(explained(move)).isEqualTo("node n3 leads, another has to");
        cluster.silent.addAll(ids(1, 2));
        assertThat(explained(move)).isEqualTo("too few members are healthy for the next step");
        cluster.silent.clear();
        follows(3, 1, 2, 4);
        assertThat(explained(move)).isEqualTo("done");
    }

    @Test
    void explanationSaysThatMoveIsGivenUp_whenItTakesTooLong() {
        begins(4, 3, MoveReason.OPERATOR);
        String move = "a move is under way because of OPERATOR, ";
        cluster.now = NOW.plus(cluster.policy.moveGiveUpAfter()).plusSeconds(1);
        assertThat(explained(move)).isEqualTo("being given up, the leader has to agree");
        follows(2, 1, 2, 3);
        assertThat(explained(move)).isEqualTo("given up: node n4 did not join");
    }

    @Test
    void explanationNamesDamagedReplica_whileItIsRebuilt() {
        begins(3, 3, MoveReason.REPAIR);
        follows(2, 1, 2);
        assertThat(explained("a move is under way because of REPAIR, "))
                .isEqualTo("node n3 has to put its damaged replica aside");
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

    @Test
    void explanationSaysHowFarSplitIs() {
        isSplit(2);
        String split = "it is being split because of SIZE, ";
        assertThat(explained(split)).isEqualTo("its leader has to split off range 3");
        cluster.splitRefusals = List.of(new NodeReport.SplitRefusal(new RangeId(3), "too small"));
        assertThat(explained(split)).isEqualTo("to be given up: its leader refused: too small");
        cluster.splitRefusals = List.of();
        cluster.now = NOW.plus(SplitProgress.GIVE_UP_AFTER);
        assertThat(explained(split)).isEqualTo("to be given up: not done within 60 s");
        cluster.apply(
                new MapCommand.AbandonSplit(
                        cluster.map.split(LEFT).orElseThrow(), Reason.words("late")));
        assertThat(explained(split)).isEqualTo("being given up, the leader has to agree: late");
        follows(2, 1, 2, 3);
        assertThat(explained(split)).isEqualTo("given up");
    }

    @Test
    void explanationCountsChildren_whenRangeIsSplitInMany() {
        isSplit(4);
        assertThat(explained("it is being split because of SIZE, "))
                .isEqualTo("its leader has to split off range 3 and up to 2 more");
    }

    @Test
    void explanationNamesNextStep_whileRangesMerge() {
        cluster.begin(MergeReason.OPERATOR);
        String merge = "it is being merged with range 2 because of OPERATOR, ";
        assertThat(explained(merge)).isEqualTo("the leader of both has to join them");
        assertThat(explained(RIGHT))
                .contains(
                        "it is being merged with range 1 because of OPERATOR, the leader of both"
                                + " has to join them");
        cluster.joins(id(3), RIGHT, 1);
        assertThat(explained(merge)).isEqualTo("not all members are level with the leader");
        cluster.leads(id(2), RIGHT, 1);
        assertThat(explained(merge)).isEqualTo("the other one's leader has to lead range 2");
        cluster.holds(id(2), RIGHT, 1);
        assertThat(explained(merge)).isEqualTo("one of them has no leader now");
        cluster.holds(id(2), LEFT, 3);
        assertThat(explained(merge)).isEqualTo("the leader of range 1 has to tell what it came to");
    }

    @Test
    void explanationNamesMembers_whenMergingRangesLieApart() {
        cluster = new TwoRanges(ids(1, 2, 3), ids(4, 1, 2));
        cluster.begin(MergeReason.OPERATOR);
        assertThat(explained("it is being merged with range 2 because of OPERATOR, "))
                .isEqualTo("range 2 gets the other one's members");
    }

    @Test
    void explanationSaysThatMergeIsGivenUp_whenItTakesTooLong() {
        cluster.begin(MergeReason.OPERATOR);
        String merge = "it is being merged with range 2 because of OPERATOR, ";
        cluster.now = NOW.plus(MergeProgress.GIVE_UP_AFTER);
        assertThat(explained(merge)).isEqualTo("to be given up: not done within 60 s");
        cluster.apply(
                new MapCommand.AbandonMerge(
                        cluster.map.merge(LEFT).orElseThrow(), Reason.words("late")));
        assertThat(explained(merge))
                .isEqualTo("being given up, the leader of range 1 has to agree: late");
        cluster.leadsFrozen(id(1), RIGHT, 2);
        follows(2, 1, 2, 3);
        assertThat(explained(merge)).isEqualTo("given up, range 2 has to take requests again");
        cluster.leads(id(1), RIGHT, 1);
        assertThat(explained(merge)).isEqualTo("given up");
    }

    @Test
    void explanationNamesSurvivor_whileRangeIsRecovered() {
        RangeId next = new RangeId(3);
        cluster.apply(
                new MapCommand.RecoverRange(
                        LEFT, Generation.FIRST, next, new Generation(2), id(3), NOW));
        assertThat(explained(next))
                .contains(
                        "it goes on in the place of range 1, node n3 has to begin it with what it"
                                + " holds")
                .doesNotContain("nothing is to be done about it");
    }

    @Test
    void explanationSaysWhyNeighboursStayTwo_whenMergingIsEnabled() {
        cluster.policy = PolicyTable.with(Policy.DEFAULT, Map.of("merge.enabled", "true"));
        String apart = "ranges 1 and 2 stay two: ";
        assertThat(explained(apart)).isEqualTo("what is asked of them is not known");
        assertThat(explained(RIGHT)).contains(apart + "what is asked of them is not known");
        for (RangeId rangeId : List.of(LEFT, RIGHT)) {
            cluster.isAsked(rangeId, 1, Duration.ofHours(1), 1_000);
        }
        assertThat(explained(apart))
                .isEqualTo("what is asked of them was not heard for long enough");
        cluster.peaked(LEFT, 1);
        cluster.peaked(RIGHT, 1);
        assertThat(explained(LEFT)).noneMatch(reason -> reason.contains("stay two"));
        cluster.begin(MergeReason.OPERATOR);
        cluster.peaks.clear();
        assertThat(explained(LEFT)).noneMatch(reason -> reason.contains("stay two"));
    }

    @Test
    void explanationSaysThatMoveIsGivenUp_whenRebuildingNodeDies() {
        begins(3, 3, MoveReason.REPAIR);
        cluster.silent.add(id(3));
        assertThat(explained("a move is under way because of REPAIR, "))
                .isEqualTo("given up: node n3 is dead");
    }
}
