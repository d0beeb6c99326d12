package io.parterre.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.decide.Decision;
import io.parterre.manager.plan.request.SplitRequests;
import io.parterre.manager.plan.request.Verdict;
import io.parterre.manager.plan.view.Maps;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.testing.Tier;
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

/** Managers and nodes together, in simulated time. The seed is the test's parameter. */
@Execution(ExecutionMode.CONCURRENT)
class RepairSimTest {
    /** Has the range split in two, if it may be now. */
    private static void split(SimCluster cluster, RangeId rangeId) {
        Verdict verdict =
                SplitRequests.split(cluster.view(), rangeId, Optional.empty(), Optional.empty(), 0);
        if (verdict instanceof Verdict.Do done) {
            done.commands().forEach(cluster::apply);
        }
    }

    @Test
    void splitIsAborted_whenRangeHasNoSplitPointLeft() {
        SimCluster cluster = cluster(4, 1, 1, 7);
        cluster.settle(600);
        for (int i = 0; i < 3; i++) {
            split(cluster, new RangeId(1));
            cluster.settle(600);
        }
        assertThat(cluster.map().ranges().size())
                .as("the first key and the next leave no more to split")
                .isEqualTo(2);
        split(cluster, new RangeId(2));
        cluster.settle(600);
        assertThat(cluster.map().ranges().size()).isEqualTo(3);
        cluster.assertWellReplicated(3);
    }

    private static SimCluster cluster(int nodeCount, int zones, int ranges, long seed) {
        return cluster(nodeCount, zones, ranges, 3, seed);
    }

    private static SimCluster cluster(
            int nodeCount, int zones, int ranges, int replicas, long seed) {
        Random random = new Random(seed);
        List<ClusterNode> nodes = new ArrayList<>();
        for (int n = 1; n <= nodeCount; n++) {
            nodes.add(Maps.node(Maps.id(n), "z" + n % zones));
        }
        List<List<NodeId>> members = new ArrayList<>();
        for (int i = 0; i < ranges; i++) {
            List<NodeId> ids = new ArrayList<>(nodes.stream().map(ClusterNode::nodeId).toList());
            Collections.shuffle(ids, random);
            members.add(ids.subList(0, replicas));
        }
        return new SimCluster(
                Maps.of(nodes, members), SimCluster.POLICY.withReplicas(replicas), seed);
    }

    @Test
    void replicasOfDeadNodeAreReplacedAndRemoved_whenItReturns() {
        SimCluster cluster = cluster(4, 1, 6, 1);
        cluster.settle(600);
        cluster.crash(Maps.id(2));
        cluster.settle(600);
        assertThat(cluster.map().ranges().onNode(Maps.id(2))).isEmpty();
        cluster.restart(Maps.id(2));
        cluster.settle(600);
        cluster.assertWellReplicated(3);
    }

    @Test
    void wipedNodeRegainsItsReplicas_whenNoOtherNodeIsFree() {
        SimCluster cluster = cluster(3, 1, 6, 2);
        cluster.settle(600);
        cluster.wipe(Maps.id(3));
        cluster.settle(600);
        cluster.assertWellReplicated(3);
    }

    @Test
    void decommissionedNodeIsRemoved_afterItsReplicasMoved() {
        SimCluster cluster = cluster(5, 1, 8, 3);
        cluster.settle(600);
        cluster.apply(new MapCommand.SetNodeState(Maps.id(1), NodeState.DECOMMISSIONING));
        cluster.settle(600);
        assertThat(cluster.map().node(Maps.id(1)).orElseThrow().state())
                .isEqualTo(NodeState.REMOVED);
        cluster.assertWellReplicated(3);
    }

    @Test
    void drainingNodeKeepsItsReplicas_untilAnotherNodeIsAdded() {
        SimCluster cluster = cluster(3, 1, 4, 4);
        cluster.settle(600);
        cluster.apply(new MapCommand.SetNodeState(Maps.id(1), NodeState.DRAINING));
        cluster.settle(600);
        assertThat(cluster.map().ranges().onNode(Maps.id(1))).hasSize(4);
        assertThat(cluster.plan().left())
                .extracting(Decision.Leave::cause)
                .contains(Decision.Cause.NO_NODE);
        cluster.addNode(Maps.node(Maps.id(4), "z0"));
        cluster.settle(600);
        assertThat(cluster.map().ranges().onNode(Maps.id(1))).isEmpty();
        cluster.assertWellReplicated(3);
    }

    @Test
    void newNodeIsFilledByRebalance_withoutLaterChurn() {
        SimCluster cluster = cluster(3, 1, 20, 5);
        cluster.settle(600);
        cluster.addNode(Maps.node(Maps.id(4), "z0"));
        cluster.settle(2_000);
        assertThat(cluster.map().ranges().onNode(Maps.id(4)).size()).isBetween(13, 17);
        int moves = cluster.movesBegun();
        int leads = cluster.leadsMoved();
        for (int i = 0; i < 300; i++) {
            cluster.step();
        }
        assertThat(cluster.movesBegun()).isEqualTo(moves);
        assertThat(cluster.leadsMoved()).isEqualTo(leads);
    }

    @Test
    void rangesGrowToThreeReplicas_whenThirdNodeJoins() {
        SimCluster cluster = cluster(1, 1, 5, 1, 6);
        SimCluster grown = new SimCluster(cluster.map(), SimCluster.POLICY.withReplicas(3), 6);
        grown.settle(600);
        grown.addNode(Maps.node(Maps.id(2), "z0"));
        grown.settle(600);
        assertThat(grown.movesBegun()).as("two copies that both must live are no gain").isZero();
        grown.addNode(Maps.node(Maps.id(3), "z0"));
        grown.settle(600);
        grown.assertWellReplicated(3);
    }

    @Test
    void damagedStoreIsRebuilt_whenNoOtherNodeIsFree() {
        SimCluster cluster = cluster(3, 1, 6, 7);
        cluster.settle(600);
        cluster.damageStore(Maps.id(2));
        cluster.settle(600);
        assertThat(cluster.hasRebuiltStore(Maps.id(2))).isTrue();
        cluster.assertWellReplicated(3);
    }

    @Test
    void damagedStoresAreKept_whenTheyShareARange() {
        SimCluster cluster = cluster(3, 1, 6, 8);
        cluster.settle(600);
        cluster.expectLosses();
        cluster.damageStore(Maps.id(1));
        cluster.damageStore(Maps.id(2));
        for (int i = 0; i < 300; i++) {
            cluster.step();
        }
        assertThat(cluster.isStoreDamaged(Maps.id(1))).isTrue();
        assertThat(cluster.isStoreDamaged(Maps.id(2))).isTrue();
    }

    @Test
    void damagedStoresAreRebuiltOneAtATime_withFiveReplicas() {
        SimCluster cluster = cluster(5, 1, 6, 5, 9);
        cluster.settle(600);
        cluster.damageStore(Maps.id(1));
        cluster.damageStore(Maps.id(2));
        // One at a time is asserted by the cluster.
        cluster.settle(900);
        assertThat(cluster.hasRebuiltStore(Maps.id(1))).isTrue();
        assertThat(cluster.hasRebuiltStore(Maps.id(2))).isTrue();
        cluster.assertWellReplicated(5);
    }

    @Test
    void replicasAreReplaced_whenTheirLogsAreDamaged() {
        SimCluster cluster = cluster(4, 1, 8, 10);
        cluster.settle(600);
        for (int n = 1; n <= 4; n++) {
            cluster.damageLogs(Maps.id(n), 100);
            cluster.settle(900);
        }
        cluster.assertWellReplicated(3);
        assertThat(cluster.movesBegun()).isGreaterThanOrEqualTo(24);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void rangesSurvive_whileNodesAreCrashedWipedAndManagersChange(long seed) {
        Random random = new Random(seed);
        int replicas = seed % 3 == 0 ? 5 : 3;
        SimCluster cluster = cluster(replicas + 3, 1 + (int) seed % 3, 12, replicas, seed);
        cluster.loses(10);
        List<NodeId> ids =
                new ArrayList<>(cluster.map().nodes().stream().map(ClusterNode::nodeId).toList());
        for (int i = 0; i < 1_500; i++) {
            NodeId node = ids.get(random.nextInt(ids.size()));
            int dice = random.nextInt(100);
            if (dice < 3 && cluster.isUp(node) && cluster.toleratesLossOf(node)) {
                cluster.crash(node);
            } else if (dice < 5 && cluster.isUp(node) && cluster.toleratesLossOf(node)) {
                cluster.wipe(node);
            } else if (dice < 6 && cluster.isUp(node) && cluster.toleratesLossOf(node)) {
                cluster.damageStore(node);
            } else if (dice < 7 && cluster.isUp(node)) {
                cluster.damageLogs(node, 30);
            } else if (dice < 9) {
                cluster.restart(node);
            } else if (dice < 10) {
                cluster.changeManager();
            } else if (dice < 12) {
                toggleDrain(cluster, node);
            } else if (dice < 14) {
                split(cluster, new RangeId(1 + random.nextInt(cluster.map().ranges().size())));
            }
            cluster.step();
        }
        for (NodeId node : ids) {
            if (cluster.map().node(node).orElseThrow().state() != NodeState.ACTIVE) {
                cluster.apply(new MapCommand.SetNodeState(node, NodeState.ACTIVE));
            }
        }
        // One stays down for good, the others come back.
        NodeId lost = ids.get(random.nextInt(ids.size()));
        for (NodeId node : ids) {
            cluster.restart(node);
        }
        cluster.loses(0);
        cluster.settle(3_000);
        cluster.crash(lost);
        cluster.settle(3_000);
        cluster.assertWellReplicated(replicas);
        assertThat(cluster.movesBegun()).as("something happened").isGreaterThan(10);
    }

    /** Four, a hundred in the long tier, or as many as {@code -Dparterre.sim.seeds} says. */
    static LongStream seeds() {
        return LongStream.rangeClosed(1, Tier.size("parterre.sim.seeds", 4, 100));
    }

    private static void toggleDrain(SimCluster cluster, NodeId node) {
        boolean active = cluster.map().node(node).orElseThrow().state() == NodeState.ACTIVE;
        cluster.apply(
                new MapCommand.SetNodeState(node, active ? NodeState.DRAINING : NodeState.ACTIVE));
    }
}
