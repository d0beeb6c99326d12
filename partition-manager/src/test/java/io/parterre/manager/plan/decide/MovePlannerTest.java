package io.parterre.manager.plan.decide;

import static io.parterre.manager.plan.view.Maps.after;
import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MoveReason;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.explain.Explanation;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.LastReport;
import io.parterre.manager.plan.view.Maps;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who gets the replicas of nodes that leave, and who is full. */
class MovePlannerTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_000);
    private static final RangeId R1 = new RangeId(1);
    private static final RangeId R2 = new RangeId(2);

    /** Node 6 is the emptiest, and would be chosen if nobody was named. */
    private static final ClusterMap SIX = map(6, List.of(ids(1, 2, 3), ids(2, 3, 4), ids(2, 3, 5)));

    private static ClusterMap map(int nodes, List<List<NodeId>> members) {
        List<ClusterNode> all = new ArrayList<>();
        IntStream.rangeClosed(1, nodes).forEach(n -> all.add(Maps.node(id(n), "")));
        return Maps.of(all, members);
    }

    private static ClusterView view(ClusterMap map, Policy policy, NodeId... dead) {
        Map<NodeId, LastReport> heard = new HashMap<>();
        Map<RangeId, NodeId> leaders = new HashMap<>();
        for (ClusterNode node : map.nodes()) {
            List<NodeReport.Replica> replicas = new ArrayList<>();
            for (RangeId rangeId : map.ranges().onNode(node.nodeId())) {
                RangeDescriptor range = map.ranges().find(rangeId).orElseThrow();
                replicas.add(
                        new NodeReport.Replica(
                                rangeId,
                                range.generation(),
                                false,
                                1,
                                1,
                                range.members(),
                                List.of(),
                                false));
            }
            Instant at = List.of(dead).contains(node.nodeId()) ? Instant.EPOCH : NOW;
            heard.put(
                    node.nodeId(),
                    new LastReport(
                            new NodeReport(node, map.clusterId(), replicas),
                            at,
                            Map.of(),
                            map.ranges().onNode(node.nodeId())));
        }
        return new ClusterView(map, heard, leaders, Instant.EPOCH, NOW, policy, Map.of());
    }

    /** All but balance. */
    private static List<String> planned(ClusterView view) {
        return Planner.plan(view, view.policy()).changes().stream()
                .filter(change -> change.reason() != MoveReason.BALANCE)
                .map(
                        change ->
                                change.rangeId()
                                        + " +"
                                        + change.add().map(NodeId::value).orElse("")
                                        + " -"
                                        + change.remove().map(NodeId::value).orElse("")
                                        + " "
                                        + change.reason())
                .toList();
    }

    private static ClusterMap replaced(ClusterMap map, int node, int by) {
        return after(
                map,
                new MapCommand.SetNodeState(
                        id(node), NodeState.DECOMMISSIONING, Optional.of(id(by))));
    }

    @Test
    void namedReplacementReceivesReplicas_whenNodeIsReplaced() {
        assertThat(planned(view(replaced(SIX, 1, 5), Policy.DEFAULT)))
                .containsExactly("1 +n5 -n1 " + MoveReason.DRAIN);
        assertThat(planned(view(replaced(SIX, 1, 5), Policy.DEFAULT, id(1))))
                .containsExactly("1 +n5 -n1 " + MoveReason.REPAIR);
        assertThat(
                        planned(
                                view(
                                        after(
                                                SIX,
                                                new MapCommand.SetNodeState(
                                                        id(1), NodeState.DECOMMISSIONING)),
                                        Policy.DEFAULT)))
                .as("nobody is named")
                .containsExactly("1 +n6 -n1 " + MoveReason.DRAIN);
    }

    @Test
    void anotherNodeReceivesReplica_whenReplacementCannotTakeIt() {
        // It is a member of range 2 already.
        assertThat(planned(view(replaced(SIX, 3, 4), Policy.DEFAULT.withMoves(16, 16))))
                .containsExactlyInAnyOrder(
                        "1 +n4 -n3 " + MoveReason.DRAIN,
                        "2 +n6 -n3 " + MoveReason.DRAIN,
                        "3 +n4 -n3 " + MoveReason.DRAIN);
        // It is dead, and what it was named for has to go on.
        assertThat(planned(view(replaced(SIX, 1, 5), Policy.DEFAULT, id(1), id(5))))
                .contains("1 +n6 -n1 " + MoveReason.REPAIR);
    }

    @Test
    void replacementMoveWaits_whileReplacementIsBusy() {
        ClusterMap map = map(6, List.of(ids(1, 2, 3), ids(1, 2, 4)));
        Plan plan =
                Planner.plan(
                        view(replaced(map, 1, 5), Policy.DEFAULT.withMoves(16, 1)),
                        Policy.DEFAULT.withMoves(16, 1));
        assertThat(plan.changes()).hasSize(1);
        assertThat(plan.left())
                .anySatisfy(
                        left -> {
                            assertThat(left.about()).contains(R2);
                            assertThat(left.cause()).isEqualTo(Decision.Cause.TOO_MANY_MOVES);
                            assertThat(left.why())
                                    .asString()
                                    .contains("node n5 is to replace it and is busy");
                        });
    }

    @Test
    void repairIsSkippedWithReason_whenAllNodesAreFull() {
        // Nodes 4, 5 and 6 hold one each: the dead node's replica finds no place.
        ClusterMap map = map(6, List.of(ids(1, 2, 3), ids(2, 3, 4), ids(2, 3, 5), ids(2, 3, 6)));
        Policy small = Policy.DEFAULT.withReplicasPerNodeMax(1);
        ClusterView view = view(map, small, id(1));
        Plan plan = Planner.plan(view, small);
        assertThat(plan.changes()).isEmpty();
        assertThat(plan.left())
                .anySatisfy(
                        left -> {
                            assertThat(left.about()).contains(R1);
                            assertThat(left.cause()).isEqualTo(Decision.Cause.NODES_FULL);
                        });
        assertThat(Explanation.of(view, plan, map.ranges().find(R1).orElseThrow()))
                .contains(
                        "left alone, NODES_FULL: node n1 is dead, no node can take a replica:"
                                + " those without one hold 1 replicas already");
        assertThat(planned(view(map, Policy.DEFAULT.withReplicasPerNodeMax(2), id(1))))
                .containsExactly("1 +n4 -n1 " + MoveReason.REPAIR);
    }

    @Test
    void growthAndRebalanceRespectReplicaLimitPerNode() {
        ClusterMap one = map(3, List.of(ids(1), ids(1), ids(1), ids(1), ids(1), ids(1)));
        Policy small = Policy.DEFAULT.withReplicas(1).withMoves(100, 100).withReplicasPerNodeMax(1);
        List<Decision.ChangeMembers> moves = Planner.plan(view(one, small), small).changes();
        assertThat(moves)
                .extracting(Decision.ChangeMembers::reason)
                .containsOnly(MoveReason.BALANCE);
        assertThat(moves).extracting(move -> move.add().orElseThrow()).doesNotHaveDuplicates();
        Policy three = small.withReplicas(3);
        Plan grown = Planner.plan(view(one, three), three);
        // Each of the two others has room for one, and a range grows by one at a time.
        assertThat(grown.changes()).hasSize(1);
        assertThat(grown.left())
                .extracting(Decision.Leave::cause)
                .contains(Decision.Cause.NODES_FULL);
    }
}
