package io.parterre.simulator;

import static io.parterre.manager.plan.view.Maps.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.plan.view.Maps;
import io.parterre.range.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Disks that fill, in simulated time: what is done about it comes to an end. */
final class FullDiskSimTest {
    private static final long GIB = 1L << 30;
    private static final int NODES = 6;
    private static final int RANGES = 24;

    private static SimCluster cluster(int nodes, long seed) {
        Random random = new Random(seed);
        List<ClusterNode> all = new ArrayList<>();
        for (int n = 1; n <= nodes; n++) {
            all.add(Maps.node(id(n), ""));
        }
        List<List<NodeId>> members = new ArrayList<>();
        for (int i = 0; i < RANGES; i++) {
            List<NodeId> ids = new ArrayList<>(all.stream().map(ClusterNode::nodeId).toList());
            Collections.shuffle(ids, random);
            members.add(ids.subList(0, 3));
        }
        SimCluster cluster = new SimCluster(Maps.of(all, members), SimCluster.POLICY, seed);
        cluster.holds(bounds -> GIB);
        return cluster;
    }

    private static void disks(SimCluster cluster, int nodes, long otherBytes) {
        for (int n = 1; n <= nodes; n++) {
            cluster.disk(id(n), 100 * GIB, otherBytes);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void replicasMoveOnceAndStay_whenOneDiskFills(long seed) {
        SimCluster cluster = cluster(NODES, seed);
        disks(cluster, NODES, 40 * GIB);
        cluster.settle(900);
        int held = cluster.map().ranges().onNode(id(1)).size();
        int before = cluster.movesBegun();
        // Four replicas too many.
        cluster.disk(id(1), 100 * GIB, (87 - held) * GIB);
        cluster.settle(900);
        assertThat(cluster.view().isDiskFull(id(1))).isFalse();
        assertThat(cluster.map().ranges().onNode(id(1))).hasSizeBetween(held - 6, held - 4);
        assertThat(cluster.movesBegun() - before).isBetween(4, 14);
        assertThat(cluster.toAndFro()).isZero();
        int settled = cluster.movesBegun();
        for (int i = 0; i < 300; i++) {
            cluster.step();
        }
        assertThat(cluster.movesBegun()).isEqualTo(settled);
        cluster.assertWellReplicated(3);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void noDiskIsFilledByMoves_whenMostAreNearlyFull(long seed) {
        SimCluster cluster = cluster(NODES, seed);
        disks(cluster, NODES, 40 * GIB);
        cluster.settle(900);
        for (int n = 2; n <= NODES; n++) {
            cluster.disk(
                    id(n), 100 * GIB, (81 - cluster.map().ranges().onNode(id(n)).size()) * GIB);
        }
        cluster.disk(id(1), 100 * GIB, (95 - cluster.map().ranges().onNode(id(1)).size()) * GIB);
        cluster.settle(900);
        for (int n = 2; n <= NODES; n++) {
            assertThat(cluster.view().isDiskFull(id(n))).as("node %s", n).isFalse();
        }
        assertThat(cluster.toAndFro()).isZero();
        cluster.assertWellReplicated(3);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void nothingMoves_whenAllDisksFillTogether(long seed) {
        SimCluster cluster = cluster(3, seed);
        cluster.settle(900);
        int moves = cluster.movesBegun();
        int leads = cluster.leadsMoved();
        disks(cluster, 3, 70 * GIB);
        cluster.settle(300);
        assertThat(cluster.view().isDiskFull(id(1))).isTrue();
        assertThat(cluster.movesBegun()).isEqualTo(moves);
        assertThat(cluster.leadsMoved()).isEqualTo(leads);
        disks(cluster, 3, 10 * GIB);
        cluster.settle(300);
        assertThat(cluster.movesBegun()).isEqualTo(moves);
        assertThat(cluster.leadsMoved()).isEqualTo(leads);
    }
}
