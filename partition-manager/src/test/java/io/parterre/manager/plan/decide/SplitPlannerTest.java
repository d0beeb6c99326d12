package io.parterre.manager.plan.decide;

import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static io.parterre.manager.plan.view.TwoRanges.LEFT;
import static io.parterre.manager.plan.view.TwoRanges.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.manager.map.Split;
import io.parterre.manager.map.SplitReason;
import io.parterre.manager.plan.explain.Explanation;
import io.parterre.manager.plan.policy.Demand;
import io.parterre.manager.plan.policy.MergePolicy;
import io.parterre.manager.plan.policy.SplitPolicy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.RangeLoad;
import io.parterre.manager.plan.view.TwoRanges;
import io.parterre.manager.reason.Reason;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which ranges are split for what their leaders tell of them. */
class SplitPlannerTest {
    private static final Key SPLIT_POINT = Key.wrap(new byte[] {1});
    private static final long SMALL = 1 << 20;

    /** Node 1 leads the left range, node 2 the right one. */
    private final TwoRanges cluster = new TwoRanges(ids(1, 2, 3), ids(2, 3, 4));

    SplitPlannerTest() {
        cluster.policy =
                cluster.policy.withSplit(
                        new SplitPolicy(true, 2_500, 700, 16L << 30, Duration.ofSeconds(10), 8));
    }

    private static RangeLoad load(
            double operations, double refused, int cpuPermille, RangeLoad.Shape shape) {
        boolean divides = shape == RangeLoad.Shape.SPREAD || shape == RangeLoad.Shape.MOVING_TAIL;
        return new RangeLoad(
                operations,
                0,
                0,
                refused,
                cpuPermille,
                Duration.ofHours(1),
                shape,
                divides ? Optional.of(SPLIT_POINT) : Optional.empty(),
                divides ? 500 : 0);
    }

    private static RangeLoad spread(double operations, int cpuPermille) {
        return load(operations, 0, cpuPermille, RangeLoad.Shape.SPREAD);
    }

    private Plan plan() {
        return Planner.plan(cluster.view(), cluster.policy);
    }

    private List<Decision.Cause> whyLeft() {
        return plan().left().stream()
                .filter(left -> left.about().equals(Optional.of(LEFT)))
                .map(Decision.Leave::cause)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "2500, 0, 700, false",
        "2501, 0, 0, true",
        "10, 0, 701, true",
        "2400, 0, 690, false",
        // Refused calls count, for no more than those that were served.
        "1500, 1200, 0, true",
        "1200, 9000, 0, false"
    })
    void rangeIsSplit_whenOperationsOrCpuExceedLimit(
            double operations, double refused, int cpuPermille, boolean splitPoint) {
        cluster.isAsked(
                LEFT, load(operations, refused, cpuPermille, RangeLoad.Shape.SPREAD), SMALL);
        assertThat(plan().splits())
                .extracting(Decision.Split::rangeId)
                .isEqualTo(splitPoint ? List.of(LEFT) : List.of());
    }

    @Test
    void splitReasonStatesCpuUse_whenCpuExceedsLimit() {
        cluster.isAsked(LEFT, spread(90, 1_400), SMALL);
        assertThat(plan().splits())
                .singleElement()
                .satisfies(
                        split -> {
                            assertThat(split.reason()).isEqualTo(SplitReason.LOAD);
                            assertThat(split.splitPoint()).contains(SPLIT_POINT);
                            assertThat(split.why())
                                    .asString()
                                    .startsWith(
                                            "it takes 1.40 of a core (limit: 0.70) for 90 operations a"
                                                    + " second, as much as 5000 would")
                                    .contains("50 % of them behind the split point");
                        });
    }

    @Test
    void splitReasonStatesRejectedRequests_whenRangeIsOverloaded() {
        cluster.isAsked(LEFT, load(2_000, 700, 10, RangeLoad.Shape.SPREAD), SMALL);
        assertThat(plan().splits())
                .extracting(Decision.Split::why)
                .singleElement()
                .asString()
                .startsWith("2700 operations a second are asked of it (limit: 2500; refused: 700)");
    }

    /** Node 3 leads nothing, so it is better than node 2, whose range takes as much. */
    @Test
    void childLeaderIsChosen_byCpuAndOperationsTogether() {
        cluster.isAsked(LEFT, spread(10, 1_000), SMALL);
        cluster.isAsked(RIGHT, spread(2_400, 0), SMALL);
        assertThat(plan().splits())
                .extracting(Decision.Split::childLeader)
                .containsExactly(Optional.of(id(3)));
    }

    /** A node that has as many operations, or as much processor time, is no better place. */
    @ParameterizedTest
    @CsvSource({"3400, 0", "0, 900"})
    void rangeIsNotSplit_whenNoOtherNodeIsLessLoaded(double operations, int cpuPermille) {
        TwoRanges narrow = new TwoRanges(ids(1, 2), ids(2, 1));
        narrow.policy = cluster.policy.withReplicas(1);
        narrow.isAsked(LEFT, spread(10, 1_000), SMALL);
        narrow.isAsked(
                RIGHT, load(operations, 0, cpuPermille, RangeLoad.Shape.ONE_PARTITION), SMALL);
        ClusterView view = narrow.view();
        SplitPlanner planner =
                new SplitPlanner(
                        view,
                        narrow.policy,
                        new Ledger(view, narrow.policy),
                        new LeaderLoads(view, narrow.policy),
                        UnsplittableRanges.NONE);
        assertThat(planner.decide())
                .filteredOn(decision -> decision.concerns(LEFT))
                .singleElement()
                .isInstanceOfSatisfying(
                        Decision.Leave.class,
                        left -> assertThat(left.cause()).isEqualTo(Decision.Cause.NO_BETTER_PLACE));
    }

    /** Of one partition no split point helps; of what lies beside it, it does. */
    @Test
    void hotRangeIsSplitForSize_whenLoadHasNoSplitPoint() {
        long size = cluster.policy.split().bytesMax() + 1;
        cluster.isAsked(LEFT, load(3_000, 0, 0, RangeLoad.Shape.ONE_PARTITION), size);
        assertThat(plan().splits())
                .extracting(Decision.Split::reason)
                .containsExactly(SplitReason.SIZE);
        cluster.isAsked(LEFT, spread(3_000, 0), size);
        assertThat(plan().splits())
                .extracting(Decision.Split::reason)
                .containsExactly(SplitReason.LOAD);
    }

    @Test
    void cpuLoadIsIgnored_forFirst60SecondsOfLeadership() {
        cluster.isAsked(LEFT, ledFor(Duration.ofSeconds(59), 10, 900), SMALL);
        assertThat(whyLeft()).containsExactly(Decision.Cause.NOT_SETTLED);
        cluster.isAsked(LEFT, ledFor(Duration.ofSeconds(60), 10, 900), SMALL);
        assertThat(plan().splits()).hasSize(1);
        cluster.isAsked(LEFT, ledFor(Duration.ofSeconds(10), 3_000, 800), SMALL);
        assertThat(plan().splits()).hasSize(1);
    }

    private static RangeLoad ledFor(Duration observed, double operations, int cpuPermille) {
        return new RangeLoad(
                operations,
                0,
                0,
                0,
                cpuPermille,
                observed,
                RangeLoad.Shape.SPREAD,
                Optional.of(SPLIT_POINT),
                500);
    }

    /** Or a load that wanders would fill all nodes with what it has left behind. */
    @Test
    void loadSplitIsSkipped_whenNodesLackRoomForALostNode() {
        TwoRanges full = new TwoRanges(ids(1, 2, 3, 4, 5), ids(1, 2, 3, 4, 5));
        full.isAsked(LEFT, spread(9_000, 0), SMALL);
        full.policy = cluster.policy.withReplicas(5).withReplicasPerNodeMax(6);
        assertThat(Planner.plan(full.view(), full.policy).splits()).hasSize(1);
        full.policy = full.policy.withReplicasPerNodeMax(5);
        assertThat(Planner.plan(full.view(), full.policy).splits()).isEmpty();
        assertThat(Planner.plan(full.view(), full.policy).left())
                .filteredOn(left -> left.about().equals(Optional.of(LEFT)))
                .extracting(Decision.Leave::cause)
                .containsExactly(Decision.Cause.NODES_FULL);
    }

    /** As one that is a single partition: each try would raise its generation. */
    @Test
    void splitIsRetriedMinutesLater_whenLeaderFoundNoSplitPoint() {
        long size = cluster.policy.split().bytesMax() + 1;
        cluster.isAsked(LEFT, spread(10, 0), size);
        Split given =
                new Split(
                        LEFT,
                        List.of(new RangeId(9)),
                        new Generation(1),
                        Optional.empty(),
                        Optional.empty(),
                        SplitReason.SIZE,
                        cluster.now,
                        Optional.of(Reason.words("its leader refused")));
        UnsplittableRanges unsplittable = UnsplittableRanges.NONE.with(given, cluster.now);
        assertThat(bySize(unsplittable)).containsExactly(Decision.Cause.NO_SPLIT_POINT.name());

        cluster.now = cluster.now.plus(UnsplittableRanges.LEFT_FOR);
        assertThat(bySize(unsplittable)).containsExactly("SPLIT");
    }

    /** What is decided of the range that is too large. */
    private List<String> bySize(UnsplittableRanges unsplittable) {
        ClusterView view = cluster.view();
        return new SplitPlanner(
                        view,
                        cluster.policy,
                        new Ledger(view, cluster.policy),
                        new LeaderLoads(view, cluster.policy),
                        unsplittable)
                .decide().stream()
                        .filter(decision -> decision.concerns(LEFT))
                        .map(
                                decision ->
                                        decision instanceof Decision.Leave left
                                                ? left.cause().name()
                                                : "SPLIT")
                        .toList();
    }

    @Test
    void cpuLoadIsNotSplit_whenShapeIsOnePartitionOrUnknown() {
        cluster.isAsked(LEFT, load(10, 0, 900, RangeLoad.Shape.ONE_PARTITION), SMALL);
        assertThat(whyLeft()).containsExactly(Decision.Cause.ONE_PARTITION);
        cluster.isAsked(LEFT, load(10, 0, 900, RangeLoad.Shape.UNKNOWN), SMALL);
        assertThat(whyLeft()).containsExactly(Decision.Cause.NO_SPLIT_POINT);
        cluster.isAsked(LEFT, load(10, 0, 900, RangeLoad.Shape.MOVING_TAIL), SMALL);
        assertThat(plan().splits())
                .extracting(Decision.Split::why)
                .singleElement()
                .asString()
                .contains("on ever later keys");
    }

    /** Or it would be merged again with what it was cut off from. */
    @Test
    void rangesAreNotMerged_whenTheirCpuUseIsHigh() {
        MergePolicy merges = new MergePolicy(true, Duration.ofMinutes(1), 4, 1);
        TwoRanges pair = new TwoRanges(ids(1, 2, 3), ids(1, 2, 3));
        pair.policy = cluster.policy.withMerge(merges);
        // Else a leadership would go elsewhere first.
        pair.leads(id(2), RIGHT, 1);
        pair.peaked(LEFT, 10);
        pair.peaked(RIGHT, 10);
        pair.isAsked(LEFT, spread(10, 200), SMALL);
        pair.isAsked(RIGHT, spread(10, 149), SMALL);
        assertThat(Planner.plan(pair.view(), pair.policy).decisions())
                .hasAtLeastOneElementOfType(Decision.Merge.class);
        pair.isAsked(RIGHT, spread(10, 151), SMALL);
        assertThat(Planner.plan(pair.view(), pair.policy).decisions())
                .doesNotHaveAnyElementsOfTypes(Decision.Merge.class);
        pair.isAsked(RIGHT, spread(10, 149), SMALL);
        pair.peaked(RIGHT, new Demand(10, 600));
        assertThat(Planner.plan(pair.view(), pair.policy).decisions())
                .doesNotHaveAnyElementsOfTypes(Decision.Merge.class);
    }

    @ParameterizedTest
    @CsvSource({
        "17, 2",
        "19, 2",
        "20, 3",
        "28, 3",
        "29, 4",
        "48, 5",
        "153, 16",
        "154, 16",
        "9999, 16"
    })
    void largeRangeIsSplitIntoAsManyPartsAsItsSizeNeeds(long gib, int parts) {
        cluster.isAsked(LEFT, spread(10, 0), gib << 30);
        assertThat(plan().splits())
                .singleElement()
                .satisfies(
                        split -> {
                            assertThat(split.parts()).isEqualTo(parts);
                            assertThat(split.reason()).isEqualTo(SplitReason.SIZE);
                            assertThat(split.why())
                                    .asString()
                                    .endsWith(parts == 2 ? "(limit: 16GiB)" : "in " + parts);
                        });
    }

    /** Two neighbours are merged up to half of the limit. */
    @ParameterizedTest
    @CsvSource({"17", "20", "29", "60", "153"})
    void splitPartSizeStaysBetweenMergeAndSplitLimits(long gib) {
        SplitPolicy policy = cluster.policy.split();
        long part = (gib << 30) / policy.parts(gib << 30);
        assertThat(part).isBetween(policy.bytesMax() / 3, policy.bytesMax() * 2 / 3);
    }

    @Test
    void splitPartCountIsReduced_whenMembersLackRoom() {
        cluster.policy = cluster.policy.withReplicasPerNodeMax(4);
        // Nodes 2 and 3 hold both ranges.
        cluster.isAsked(LEFT, spread(10, 0), 200L << 30);
        assertThat(plan().splits()).extracting(Decision.Split::parts).containsExactly(3);
    }

    /** Else nobody could tell it from a range that is to stay as it is. */
    @Test
    void largeRangeTellsWhyItIsNotSplit_whileOthersAre() {
        TwoRanges apart = new TwoRanges(ids(1, 2, 3), ids(4, 5, 2));
        apart.policy =
                cluster.policy.withSplit(
                        new SplitPolicy(true, 2_500, 700, 16L << 30, Duration.ofSeconds(10), 1));
        apart.isAsked(LEFT, spread(10, 0), 17L << 30);
        apart.isAsked(RIGHT, spread(10, 0), 17L << 30);
        Plan plan = Planner.plan(apart.view(), apart.policy);
        assertThat(plan.splits()).extracting(Decision.Split::rangeId).containsExactly(LEFT);
        assertThat(Explanation.of(apart.view(), plan, apart.range(RIGHT)))
                .contains(
                        "left alone, TOO_MANY_MOVES: it holds 17.0 GiB (limit: 16GiB), other"
                                + " ranges are being split");
    }

    @Test
    void splitWaits_whileAsManyAsAllowedAreUnderWay() {
        TwoRanges apart = new TwoRanges(ids(1, 2, 3), ids(4, 5, 2));
        apart.policy =
                cluster.policy.withSplit(
                        new SplitPolicy(true, 2_500, 700, 16L << 30, Duration.ofSeconds(10), 1));
        apart.isAsked(LEFT, spread(3_000, 0), SMALL);
        apart.isAsked(
                RIGHT,
                new RangeLoad(
                        4_000,
                        0,
                        0,
                        0,
                        0,
                        Duration.ofHours(1),
                        RangeLoad.Shape.SPREAD,
                        Optional.of(Key.wrap(new byte[] {3})),
                        500),
                SMALL);
        Plan plan = Planner.plan(apart.view(), apart.policy);
        assertThat(plan.splits()).hasSize(1);
        assertThat(plan.left())
                .anySatisfy(
                        left -> {
                            assertThat(left.cause()).isEqualTo(Decision.Cause.TOO_MANY_MOVES);
                            assertThat(left.why())
                                    .asString()
                                    .endsWith(", other ranges are being split");
                        });
    }
}
