package io.parterre.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.plan.explain.Explanation;
import io.parterre.manager.plan.policy.MergePolicy;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.policy.SplitPolicy;
import io.parterre.manager.plan.request.MergeRequests;
import io.parterre.manager.plan.request.SplitRequests;
import io.parterre.manager.plan.request.Verdict;
import io.parterre.manager.plan.view.Maps;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.testing.Tier;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Neighbours that become one range, in simulated time. */
@Execution(ExecutionMode.CONCURRENT)
class MergeSimTest {
    private static final RangeId R1 = new RangeId(1);
    private static final RangeId R2 = new RangeId(2);
    private static final int HOUR = 3_600;

    /** Also splits, so that each could undo what the other does. */
    private static final Policy BY_THEMSELVES =
            SimCluster.POLICY
                    .withSplit(
                            new SplitPolicy(true, 2_500, 700, 16L << 30, Duration.ofSeconds(10), 8))
                    .withMerge(new MergePolicy(true, Duration.ofMinutes(10), 4, 2));

    private static SimCluster cluster(int nodeCount, int ranges, Policy policy, long seed) {
        Random random = new Random(seed);
        List<ClusterNode> nodes = new ArrayList<>();
        for (int n = 1; n <= nodeCount; n++) {
            nodes.add(Maps.node(Maps.id(n), ""));
        }
        List<List<NodeId>> members = new ArrayList<>();
        for (int i = 0; i < ranges; i++) {
            List<NodeId> ids = new ArrayList<>(nodes.stream().map(ClusterNode::nodeId).toList());
            Collections.shuffle(ids, random);
            members.add(ids.subList(0, 3));
        }
        SimCluster cluster = new SimCluster(Maps.of(nodes, members), policy, seed);
        cluster.isAsked(new SimLoad());
        return cluster;
    }

    /** One of the n-th range of a cluster that has as many. */
    private static Key partition(int range, int n) {
        return Key.wrap(ByteBuffer.allocate(9).put((byte) 2).putInt(range - 1).putInt(n).array());
    }

    private static SimLoad load(double first, double second) {
        SimLoad load = new SimLoad();
        for (int n = 0; n < 10; n++) {
            load.asks(partition(1, n), first / 10);
            load.asks(partition(2, n), second / 10);
        }
        return load;
    }

    private static void run(SimCluster cluster, int seconds) {
        for (int i = 0; i < seconds; i++) {
            cluster.step();
        }
    }

    private static void merge(SimCluster cluster, RangeId left) {
        Verdict verdict = MergeRequests.merge(cluster.view(), left, Optional.empty());
        if (verdict instanceof Verdict.Do done) {
            done.commands().forEach(cluster::apply);
        }
    }

    private static int ranges(SimCluster cluster) {
        return cluster.map().ranges().size();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void quietNeighboursMergeIntoOneRange_withoutLaterChurn(long seed) {
        SimCluster cluster = cluster(4, 6, BY_THEMSELVES, seed);
        cluster.isAsked(load(50, 50));
        run(cluster, 3 * HOUR);
        assertThat(ranges(cluster)).isEqualTo(1);
        assertThat(cluster.mergesBegun()).as("each at the first try").isEqualTo(5);
        cluster.assertWellReplicated(3);
        assertThat(cluster.map().dead()).hasSize(5);

        int leads = cluster.leadsMoved();
        int moves = cluster.movesBegun();
        run(cluster, HOUR / 2);
        assertThat(cluster.leadsMoved()).isEqualTo(leads);
        assertThat(cluster.movesBegun()).isEqualTo(moves);
        assertThat(cluster.splitsBegun()).isZero();
    }

    @Test
    void busyNeighboursStaySplitWithReason_whenLoadExceedsLimit() {
        SimCluster cluster = cluster(3, 2, BY_THEMSELVES, 4);
        cluster.isAsked(load(1_000, 300));
        run(cluster, HOUR);
        assertThat(cluster.mergesBegun()).isZero();
        RangeDescriptor range = cluster.map().ranges().find(R1).orElseThrow();
        assertThat(Explanation.of(cluster.view(), cluster.plan(), range))
                .contains(
                        "ranges 1 and 2 stay two: up to 1300 operations a second were asked of"
                                + " them in the last minutes, or as much processor time (limit:"
                                + " 1250)");
    }

    @Test
    void neighboursAreNotMerged_whileLoadSpikesRecur() {
        SimCluster cluster = cluster(3, 2, BY_THEMSELVES, 5);
        for (int second = 0; second < HOUR; second++) {
            cluster.isAsked(second % 280 < 10 ? load(10, 1_500) : load(10, 10));
            cluster.step();
        }
        assertThat(cluster.mergesBegun()).isZero();
        cluster.isAsked(load(10, 10));
        run(cluster, HOUR);
        assertThat(ranges(cluster)).isEqualTo(1);
    }

    @Test
    void neighboursAreNotMerged_whenTheyHoldTooManyBytes() {
        SimCluster cluster = cluster(3, 2, BY_THEMSELVES, 6);
        cluster.holds(bounds -> 5L << 30);
        run(cluster, HOUR);
        assertThat(cluster.mergesBegun()).isZero();
        cluster.holds(bounds -> 4L << 30);
        run(cluster, 60);
        assertThat(cluster.mergesBegun()).isEqualTo(1);
    }

    @Test
    void mergeRunsOnlyOnRequest_whenAutomaticMergeIsOff() {
        Policy off = BY_THEMSELVES.withMerge(new MergePolicy(false, Duration.ofMinutes(10), 4, 2));
        SimCluster cluster = cluster(3, 2, off, 7);
        run(cluster, HOUR);
        assertThat(cluster.mergesBegun()).isZero();
        merge(cluster, R1);
        cluster.settle(600);
        assertThat(ranges(cluster)).as("operators may").isEqualTo(1);
    }

    @Test
    void noMergeBegins_whileANodeIsDown() {
        SimCluster cluster = cluster(4, 2, BY_THEMSELVES, 8);
        run(cluster, 500);
        cluster.crash(Maps.id(4));
        run(cluster, HOUR);
        assertThat(cluster.mergesBegun()).isZero();
        cluster.restart(Maps.id(4));
        run(cluster, HOUR);
        assertThat(ranges(cluster)).isEqualTo(1);
    }

    /** What is split is not merged again for a little less, nor split again for a little more. */
    @Test
    void splitAndMergeDoNotUndoEachOther_whenLoadVaries() {
        SimCluster cluster = cluster(3, 1, BY_THEMSELVES, 9);
        for (double total : new double[] {2_600, 1_300, 2_400, 1_300}) {
            cluster.isAsked(load(total, 0));
            run(cluster, HOUR);
            assertThat(cluster.splitsBegun()).as("asked %s", total).isEqualTo(1);
            assertThat(cluster.mergesBegun()).isZero();
        }
        cluster.isAsked(load(1_200, 0));
        run(cluster, HOUR);
        assertThat(cluster.mergesBegun()).isEqualTo(1);
        cluster.isAsked(load(2_400, 0));
        run(cluster, HOUR);
        assertThat(cluster.splitsBegun()).isEqualTo(1);
        assertThat(cluster.mergesBegun()).isEqualTo(1);
    }

    /**
     * Worst for both: as soon as ranges are one they are hot, and as soon as they are many cold.
     */
    @Test
    void mergesStayFew_whenLoadComesAndGoes() {
        SimCluster cluster = cluster(3, 1, BY_THEMSELVES, 10);
        for (int second = 0; second < 5 * HOUR; second++) {
            cluster.isAsked(second % HOUR < HOUR / 2 ? load(9_000, 0) : load(90, 0));
            cluster.step();
        }
        assertThat(cluster.mergesBegun()).isLessThanOrEqualTo(6 * 5);
        cluster.isAsked(load(90, 0));
        run(cluster, 3 * HOUR);
        assertThat(ranges(cluster)).isEqualTo(1);
        cluster.assertWellReplicated(3);
    }

    static LongStream seconds() {
        long step = Tier.size("parterre.sim.phaseStep", 3, 1);
        return LongStream.iterate(0, phase -> phase <= 25, phase -> phase + step);
    }

    @ParameterizedTest
    @MethodSource("seconds")
    void mergeCompletes_whenManagerChangesInAnyPhase(long phase) {
        SimCluster cluster = cluster(5, 2, SimCluster.POLICY, 100 + phase);
        cluster.settle(600);
        merge(cluster, R1);
        assertThat(cluster.map().merges()).hasSize(1);
        run(cluster, (int) phase);
        cluster.changeManager();
        cluster.settle(600);
        assertThat(ranges(cluster)).isEqualTo(1);
        cluster.assertWellReplicated(3);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void freezeEndsWithin40Seconds_whenNodeIsLostDuringMerge(long seed) {
        SimCluster cluster = cluster(4, 2, SimCluster.POLICY, seed);
        cluster.settle(600);
        merge(cluster, R1);
        for (int i = 0; !cluster.isFrozen(R2); i++) {
            assertThat(i).isLessThan(300);
            cluster.step();
        }
        NodeId leader = cluster.leaderOf(R2).orElseThrow();
        NodeId lost =
                seed % 2 == 0
                        ? leader
                        : cluster.map().ranges().find(R2).orElseThrow().members().stream()
                                .filter(node -> !node.equals(leader))
                                .findFirst()
                                .orElseThrow();
        cluster.crash(lost);
        run(cluster, 40);
        assertThat(cluster.isFrozen(R2)).isFalse();
        cluster.settle(900);
        cluster.assertWellReplicated(3);
        cluster.restart(lost);
        cluster.settle(900);
        cluster.assertWellReplicated(3);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void bothRangesStayReplicated_whenLeaderUndoesMerge(long seed) {
        SimCluster cluster = cluster(3, 2, SimCluster.POLICY, seed);
        cluster.settle(600);
        cluster.undoesJoins(100);
        merge(cluster, R1);
        cluster.settle(600);
        assertThat(ranges(cluster)).isEqualTo(2);
        cluster.assertWellReplicated(3);

        cluster.undoesJoins(0);
        merge(cluster, R1);
        cluster.settle(600);
        assertThat(ranges(cluster)).isEqualTo(1);
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Tier.size("parterre.sim.seeds", 3, 50));
    }

    /** Each second every key is in one range, and no range is thawed that may still be absorbed. */
    @ParameterizedTest
    @MethodSource("seeds")
    void everyKeyStaysInOneRange_whileNodesAndManagersFail(long seed) {
        Random random = new Random(seed);
        SimCluster cluster = cluster(5, 5, SimCluster.POLICY, seed);
        cluster.settle(600);
        cluster.loses(10);
        cluster.undoesJoins(20);
        Optional<NodeId> down = Optional.empty();
        for (int second = 0; second < 2_000; second++) {
            cluster.step();
            if (random.nextInt(20) == 0) {
                List<RangeDescriptor> all = List.copyOf(cluster.map().ranges().inKeyOrder());
                RangeId rangeId = all.get(random.nextInt(all.size())).rangeId();
                if (random.nextInt(3) == 0) {
                    split(cluster, rangeId);
                } else {
                    merge(cluster, rangeId);
                }
            }
            if (random.nextInt(100) == 0) {
                cluster.changeManager();
            }
            if (down.isPresent() && random.nextInt(40) == 0) {
                cluster.restart(down.get());
                down = Optional.empty();
            } else if (down.isEmpty() && random.nextInt(60) == 0) {
                NodeId node = Maps.id(1 + random.nextInt(5));
                if (cluster.toleratesLossOf(node)) {
                    cluster.crash(node);
                    down = Optional.of(node);
                }
            }
        }
        down.ifPresent(cluster::restart);
        cluster.loses(0);
        cluster.settle(3_000);
        cluster.assertWellReplicated(3);
    }

    private static void split(SimCluster cluster, RangeId rangeId) {
        Verdict verdict =
                SplitRequests.split(cluster.view(), rangeId, Optional.empty(), Optional.empty(), 0);
        if (verdict instanceof Verdict.Do done) {
            done.commands().forEach(cluster::apply);
        }
    }
}
