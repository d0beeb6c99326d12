package io.parterre.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.plan.decide.Decision;
import io.parterre.manager.plan.explain.Explanation;
import io.parterre.manager.plan.policy.MergePolicy;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.policy.SplitPolicy;
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
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ranges that are split and led elsewhere because of what is asked of them, in simulated time. */
@Execution(ExecutionMode.CONCURRENT)
class SplitSimTest {
    private static SimCluster cluster(int nodeCount, long seed) {
        return cluster(nodeCount, Policy.DEFAULT.replicasPerNodeMax(), seed);
    }

    private static SimCluster cluster(int nodeCount, int replicasPerNodeMax, long seed) {
        List<ClusterNode> nodes = new ArrayList<>();
        for (int n = 1; n <= nodeCount; n++) {
            nodes.add(Maps.node(Maps.id(n), ""));
        }
        List<NodeId> members =
                nodes.stream().map(ClusterNode::nodeId).limit(Math.min(3, nodeCount)).toList();
        Policy policy =
                SimCluster.POLICY
                        .withReplicas(members.size())
                        .withReplicasPerNodeMax(replicasPerNodeMax)
                        .withSplit(
                                new SplitPolicy(
                                        true, 2_500, 700, 16L << 30, Duration.ofSeconds(10), 8));
        return new SimCluster(Maps.of(nodes, List.of(members)), policy, seed);
    }

    private static Key partition(int n) {
        return Key.wrap(ByteBuffer.allocate(9).put((byte) 2).putInt(1).putInt(n).array());
    }

    /** Partition {@code first + n} is asked a share that falls with n. */
    private static SimLoad zipf(int first, int partitions, double total) {
        double sum = 0;
        for (int n = 1; n <= partitions; n++) {
            sum += 1 / Math.pow(n, 0.7);
        }
        SimLoad load = new SimLoad();
        for (int n = 1; n <= partitions; n++) {
            // Hot ones do not lie side by side.
            int at = first + (int) ((n * 7_919L) % partitions);
            load.asks(partition(at), total / Math.pow(n, 0.7) / sum);
        }
        return load;
    }

    private static double most(SimCluster cluster) {
        return cluster.map().nodes().stream()
                .mapToDouble(node -> cluster.askedOf(node.nodeId()))
                .max()
                .orElse(0);
    }

    /** The third loses messages in one of the tests. */
    static LongStream seeds() {
        return LongStream.rangeClosed(Tier.size("parterre.sim.seedFirst", 3, 1), 3);
    }

    private static void run(SimCluster cluster, int seconds) {
        for (int i = 0; i < seconds; i++) {
            cluster.step();
        }
    }

    /** However hot and large they are: each replica takes memory, and a node has so much. */
    @Test
    void replicasPerNodeStayWithinLimit_whenRangesAreHotAndLarge() {
        SimCluster cluster = cluster(3, 5, 1);
        cluster.isAsked(zipf(0, 1_000, 60_000));
        cluster.holds(bounds -> 20L << 30);
        run(cluster, 300);
        assertThat(cluster.map().ranges().size()).isEqualTo(5);
        assertThat(cluster.plan().left())
                .extracting(Decision.Leave::cause)
                .contains(Decision.Cause.NODES_FULL);
    }

    /** Ten times as much as a range may hold, in partitions of all sizes. */
    @ParameterizedTest
    @MethodSource("seeds")
    void oversizedRangeIsSplitOnceInto16_withoutLaterChurn(long seed) {
        Policy policy =
                SimCluster.POLICY
                        .withSplit(
                                new SplitPolicy(
                                        true, 2_500, 700, 16L << 30, Duration.ofSeconds(10), 8))
                        .withMerge(new MergePolicy(true, Duration.ofMinutes(1), 4, 1));
        List<ClusterNode> nodes =
                Maps.ids(1, 2, 3).stream().map(node -> Maps.node(node, "")).toList();
        SimCluster cluster =
                new SimCluster(Maps.of(nodes, List.of(Maps.ids(1, 2, 3))), policy, seed);
        cluster.isAsked(zipf(0, 100, 10));
        cluster.loses(seed == 3 ? 20 : 0);
        run(cluster, 20);
        Random random = new Random(seed);
        TreeMap<Key, Long> rows = new TreeMap<>();
        long total = 0;
        while (total < 160L << 30) {
            long bytes = 1 + random.nextLong(1L << 28);
            rows.put(partition(rows.size()), bytes);
            total += bytes;
        }
        cluster.holds(new SimRows(rows));
        run(cluster, 120);
        assertThat(cluster.splitsBegun()).isEqualTo(1);
        assertThat(cluster.map().ranges().size()).isEqualTo(16);
        run(cluster, 3_600);
        assertThat(cluster.splitsBegun()).as("nothing is split again").isEqualTo(1);
        assertThat(cluster.map().ranges().size()).as("nor merged").isEqualTo(16);
        cluster.assertWellReplicated(3);
    }

    /** Few partitions, one of which holds most. */
    @Test
    void splitMakesFewerParts_whenFewSplitPointsExist() {
        SimCluster cluster = cluster(3, 12);
        run(cluster, 20);
        cluster.holds(
                new SimRows(
                        new TreeMap<>(
                                Map.of(
                                        partition(1), 3L << 30,
                                        partition(2), 60L << 30,
                                        partition(3), 3L << 30))));
        run(cluster, 60);
        // The large one stays above the limit, since no split point divides it.
        assertThat(cluster.map().ranges().inKeyOrder())
                .extracting(range -> range.bounds().start())
                .containsExactly(Key.FIRST, partition(2), partition(3));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void hotRangeSpreadsOverItsMembers_withoutLaterChurn(long seed) {
        SimCluster cluster = cluster(3, seed);
        run(cluster, 20);
        SimLoad load = zipf(0, 1_000, 12_000);
        cluster.isAsked(load);

        run(cluster, 25);
        assertThat(most(cluster)).as("half of it is led elsewhere soon").isLessThan(8_000);
        run(cluster, 600);
        assertThat(most(cluster)).isLessThan(load.total() / 3 * 1.4);

        int splits = cluster.splitsBegun();
        int leads = cluster.leadsMoved();
        int moves = cluster.movesBegun();
        run(cluster, 3_600);
        assertThat(cluster.splitsBegun()).as("no churn").isEqualTo(splits);
        assertThat(cluster.leadsMoved()).isEqualTo(leads);
        assertThat(cluster.movesBegun()).isEqualTo(moves);
        cluster.assertWellReplicated(3);
    }

    @Test
    void hotRangeSpreadsOverAllNodes_withFewSplits() {
        SimCluster cluster = cluster(6, 4);
        SimLoad load = zipf(0, 1_000, 24_000);
        cluster.isAsked(load);
        run(cluster, 3_000);
        assertThat(most(cluster)).isLessThan(load.total() / 6 * 1.8);
        int splits = cluster.splitsBegun();
        assertThat(splits).as("few, large ranges").isLessThan(30);
        run(cluster, 3_600);
        assertThat(cluster.splitsBegun() - splits).isLessThanOrEqualTo(1);
        cluster.assertWellReplicated(3);
    }

    @Test
    void rangeStaysWholeWithReason_whenOnePartitionIsHot() {
        SimCluster cluster = cluster(3, 5);
        cluster.isAsked(new SimLoad().asks(partition(1), 9_000).asks(partition(2), 100));
        run(cluster, 300);
        assertThat(cluster.splitsBegun()).isZero();
        RangeDescriptor range = cluster.map().ranges().find(new RangeId(1)).orElseThrow();
        assertThat(Explanation.of(cluster.view(), cluster.plan(), range))
                .anyMatch(reason -> reason.contains("most of them of one partition"));
    }

    /** Few operations, each of which takes long. */
    @Test
    void cpuHeavyRangeSpreads_withoutLaterChurn() {
        SimCluster cluster = cluster(3, 11);
        cluster.isAsked(zipf(0, 1_000, 400).takes(Duration.ofMillis(5)));
        run(cluster, 600);
        assertThat(most(cluster)).isLessThan(400 / 3.0 * 1.5);
        int splits = cluster.splitsBegun();
        assertThat(splits).isBetween(2, 10);
        run(cluster, 3_600);
        assertThat(cluster.splitsBegun()).as("no churn").isEqualTo(splits);
        cluster.assertWellReplicated(3);
    }

    @Test
    void rangeIsNotSplit_whenOneNodeBearsTheLoad() {
        SimCluster cluster = cluster(3, 6);
        cluster.isAsked(zipf(0, 100, 2_000));
        run(cluster, 300);
        assertThat(cluster.splitsBegun()).isZero();
    }

    @Test
    void rangeIsNotSplit_whenClusterHasOneNode() {
        SimCluster cluster = cluster(1, 7);
        cluster.isAsked(zipf(0, 100, 20_000));
        run(cluster, 300);
        assertThat(cluster.splitsBegun()).isZero();
        assertThat(cluster.plan().left())
                .extracting(Decision.Leave::cause)
                .contains(Decision.Cause.NO_NODE);
    }

    /** What is cut off is a tail as hot as before, so that nothing but time would hold it back. */
    @Test
    void appendOnlyRangeIsSplitOnlyEveryFewMinutes() {
        SimCluster cluster = cluster(3, 9);
        for (int second = 1; second <= 1_800; second++) {
            cluster.isAsked(SimLoad.tail(partition(second), 9_000));
            cluster.step();
        }
        assertThat(cluster.splitsBegun()).isBetween(1, 6);
    }

    @Test
    void appendOnlyRangeIsNotSplit_whenOtherNodesAreBusier() {
        List<ClusterNode> nodes = new ArrayList<>();
        for (int n = 1; n <= 3; n++) {
            nodes.add(Maps.node(Maps.id(n), ""));
        }
        SimCluster cluster =
                new SimCluster(
                        Maps.of(nodes, Collections.nCopies(3, Maps.ids(1, 2, 3))),
                        SimCluster.POLICY.withSplit(
                                new SplitPolicy(
                                        true, 2_500, 700, 16L << 30, Duration.ofSeconds(10), 8)),
                        10);
        for (int second = 1; second <= 900; second++) {
            SimLoad load = new SimLoad().asksTail(ofRange(1, second), 3_000);
            for (int range = 2; range <= 3; range++) {
                load.asks(ofRange(range, 1), 7_000);
            }
            cluster.isAsked(load);
            cluster.step();
        }
        assertThat(cluster.splitsBegun()).isZero();
        assertThat(cluster.plan().left())
                .extracting(Decision.Leave::cause)
                .contains(Decision.Cause.NO_BETTER_PLACE);
    }

    /** One of the n-th range of a cluster that has three. */
    private static Key ofRange(int range, int n) {
        return Key.wrap(ByteBuffer.allocate(9).put((byte) 2).putInt(range - 1).putInt(n).array());
    }

    @Test
    void loadStaysSpreadWithFewSplits_whileHotSpotMoves() {
        SimCluster cluster = cluster(3, 8);
        for (int hour = 0; hour < 6; hour++) {
            cluster.isAsked(zipf(hour * 1_000, 500, 9_000));
            run(cluster, 900);
            assertThat(most(cluster)).as("hour %s", hour).isLessThan(9_000 * 0.6);
        }
        assertThat(cluster.splitsBegun()).isLessThan(40);
        assertThat(cluster.map().ranges().find(new RangeId(1))).isPresent();
        assertThat(Optional.of(cluster.map().ranges().size()))
                .hasValueSatisfying(size -> assertThat(size).isLessThan(41));
    }
}
