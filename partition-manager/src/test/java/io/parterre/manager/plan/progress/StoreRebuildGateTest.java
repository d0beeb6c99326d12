package io.parterre.manager.plan.progress;

import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.disk.DiskSpace;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.plan.decide.Plan;
import io.parterre.manager.plan.decide.Planner;
import io.parterre.manager.plan.explain.Explanation;
import io.parterre.manager.plan.policy.DiskPolicy;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.LastReport;
import io.parterre.manager.plan.view.Leaders;
import io.parterre.manager.plan.view.Maps;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.plan.view.TwoRanges;
import io.parterre.manager.reason.Reason;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who may give up a store that cannot be used. */
class StoreRebuildGateTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_000);
    private static final long APPLIED = 9;

    private final Set<NodeId> damaged = new HashSet<>();
    private final Set<NodeId> silent = new HashSet<>();
    private final Set<NodeId> wiped = new HashSet<>();
    private final Map<NodeId, Long> matches = new HashMap<>();

    private static ClusterMap map(int nodes, List<List<NodeId>> members) {
        List<ClusterNode> known = new ArrayList<>();
        for (int n = 1; n <= nodes; n++) {
            known.add(Maps.node(id(n), ""));
        }
        return Maps.of(known, members);
    }

    /** The first member that is well leads. */
    private ClusterView view(ClusterMap map) {
        Map<RangeId, NodeId> leaders = new HashMap<>();
        for (RangeDescriptor range : map.ranges().inKeyOrder()) {
            range.members().stream()
                    .filter(node -> !damaged.contains(node) && !wiped.contains(node))
                    .findFirst()
                    .ifPresent(leader -> leaders.put(range.rangeId(), leader));
        }
        Map<NodeId, LastReport> heard = new HashMap<>();
        for (ClusterNode node : map.nodes()) {
            NodeId nodeId = node.nodeId();
            List<NodeReport.Replica> replicas = new ArrayList<>();
            if (!damaged.contains(nodeId) && !wiped.contains(nodeId)) {
                for (RangeId rangeId : map.ranges().onNode(nodeId)) {
                    RangeDescriptor range = map.ranges().find(rangeId).orElseThrow();
                    replicas.add(replica(range, nodeId.equals(leaders.get(rangeId)), nodeId));
                }
            }
            heard.put(
                    nodeId,
                    LastReport.next(
                            Optional.empty(),
                            new NodeReport(
                                    node,
                                    map.clusterId(),
                                    replicas,
                                    damaged.contains(nodeId)
                                            ? Optional.of("a bad block")
                                            : Optional.empty(),
                                    false,
                                    List.of(),
                                    List.of(),
                                    DiskSpace.UNKNOWN,
                                    false),
                            NOW.minusSeconds(silent.contains(nodeId) ? 30 : 0),
                            map.ranges().onNode(nodeId),
                            Leaders.of(Map.of()),
                            Map.of(),
                            true,
                            DiskPolicy.DEFAULT));
        }
        return new ClusterView(map, heard, leaders, Instant.EPOCH, NOW, Policy.DEFAULT, Map.of());
    }

    private NodeReport.Replica replica(RangeDescriptor range, boolean leading, NodeId self) {
        List<NodeReport.Follower> followers =
                range.members().stream()
                        .filter(node -> leading && !node.equals(self))
                        .map(
                                node ->
                                        new NodeReport.Follower(
                                                node,
                                                matches.getOrDefault(node, APPLIED),
                                                Duration.ZERO))
                        .toList();
        return new NodeReport.Replica(
                range.rangeId(),
                range.generation(),
                leading,
                APPLIED,
                APPLIED,
                range.members(),
                followers,
                false);
    }

    private Optional<String> obstacle(ClusterMap map, int node) {
        return StoreRebuildGate.obstacle(view(map), id(node)).map(Reason::toString);
    }

    @Test
    void storeRebuildIsAllowed_whenOtherMembersAreUpToDate() {
        ClusterMap map = map(3, List.of(ids(1, 2, 3), ids(1, 2, 3)));
        damaged.add(id(1));
        assertThat(obstacle(map, 1)).isEmpty();
        assertThat(Orders.forNode(view(map), id(1), Map.of(), 10))
                .containsExactly(new Order.RebuildStore(""));
    }

    @Test
    void storeRebuildIsRejected_whenTooFewOthersAreUpToDate() {
        damaged.add(id(1));
        assertThat(obstacle(map(2, List.of(ids(1, 2))), 1))
                .hasValue("range 1 needs 2 other members that are well and up to date, and has 1");
        assertThat(obstacle(map(1, List.of(ids(1))), 1)).hasValue("range 1 has no other member");

        ClusterMap map = map(4, List.of(ids(1, 2, 3), ids(1, 3, 4)));
        matches.put(id(4), APPLIED - 1);
        assertThat(obstacle(map, 1)).as("the other one lags").get().asString().contains("range 2");
        matches.clear();
        silent.add(id(3));
        assertThat(obstacle(map, 1)).as("the other one is silent").isPresent();
        silent.clear();
        wiped.add(id(2));
        assertThat(obstacle(map, 1)).as("the other one has lost it").isPresent();
        assertThat(Orders.forNode(view(map), id(1), Map.of(), 10)).isEmpty();
    }

    @Test
    void storeRebuildIsRejectedForBoth_whenDamagedNodesShareRange() {
        ClusterMap map = map(3, List.of(ids(1, 2, 3)));
        damaged.add(id(1));
        damaged.add(id(2));
        assertThat(obstacle(map, 1)).isPresent();
        assertThat(obstacle(map, 2)).isPresent();
    }

    @Test
    void storeRebuildsRunOneAtATime_whenDamagedNodesShareNoRange() {
        ClusterMap map = map(6, List.of(ids(1, 2, 3), ids(4, 5, 6)));
        damaged.add(id(1));
        damaged.add(id(4));
        assertThat(obstacle(map, 1)).isEmpty();
        assertThat(obstacle(map, 4)).hasValue("node n1 rebuilds its store first");

        damaged.remove(id(1));
        wiped.add(id(1));
        assertThat(obstacle(map, 4)).hasValue("node n1 is being rebuilt");
        wiped.clear();
        silent.add(id(1));
        assertThat(obstacle(map, 4)).hasValue("node n1 has not been heard of lately");
        silent.clear();
        assertThat(obstacle(map, 4)).isEmpty();
    }

    @Test
    void storeRebuildDoesNotWait_whenAnotherNodeCannotBeRebuilt() {
        ClusterMap map = map(6, List.of(ids(1, 2, 3), ids(4, 5, 6)));
        wiped.add(id(1));
        wiped.add(id(2));
        damaged.add(id(4));
        assertThat(obstacle(map, 4)).isEmpty();
    }

    @Test
    void explanationNamesObstacle_whenStoreRebuildIsNotAllowed() {
        ClusterMap map = map(3, List.of(ids(1, 2, 3)));
        damaged.add(id(1));
        matches.put(id(3), 1L);
        ClusterView view = view(map);
        Plan plan = Planner.plan(view, view.policy());
        assertThat(Explanation.of(view, plan, map.ranges().inKeyOrder().iterator().next()))
                .contains("member n1 is DAMAGED", "what member n1 holds is damaged: a bad block")
                .anyMatch(
                        why ->
                                why.contains(
                                        "has no permission to rebuild its store: range 1 needs 2 other"));
    }

    @Test
    void storeRebuildIsRejected_whileRangeIsFounded() {
        TwoRanges founding = TwoRanges.founding(ids(1, 2, 3));
        founding.storeDamage.put(id(1), "a bad block");
        assertThat(StoreRebuildGate.obstacle(founding.view(), id(1)).map(Reason::toString))
                .hasValue("range 1 is still being founded");
    }
}
