package io.parterre.manager.plan.decide;

import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.disk.DiskSpace;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.policy.PolicyTable;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.LastReport;
import io.parterre.manager.plan.view.Maps;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.plan.view.RangeLoad;
import io.parterre.manager.plan.view.TwoRanges;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Leads that go where less is asked. */
final class LeadershipPlannerTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_000);

    /** Members of five ranges on four nodes, as they stand once the fourth has got replicas. */
    private static final ClusterMap MAP =
            Maps.of(
                    IntStream.rangeClosed(1, 4).mapToObj(n -> Maps.node(id(n), "")).toList(),
                    List.of(ids(1, 2, 4), ids(1, 2, 3), ids(2, 3, 4), ids(1, 2, 3), ids(3, 1, 4)));

    /** Each range is asked for so much, of the node that leads it. */
    private static Optional<Decision> next(Map<RangeId, NodeId> leaders, double operations) {
        Map<RangeId, Double> asked = new HashMap<>();
        leaders.keySet().forEach(rangeId -> asked.put(rangeId, operations));
        return next(leaders, asked);
    }

    private static Optional<Decision> next(
            Map<RangeId, NodeId> leaders, Map<RangeId, Double> asked) {
        Map<NodeId, LastReport> heard = new HashMap<>();
        for (ClusterNode node : MAP.nodes()) {
            List<NodeReport.Replica> replicas = new ArrayList<>();
            for (RangeDescriptor range : MAP.ranges().inKeyOrder()) {
                if (range.members().contains(node.nodeId())) {
                    boolean leads = leaders.get(range.rangeId()).equals(node.nodeId());
                    replicas.add(replica(range, leads, asked.getOrDefault(range.rangeId(), 0.1)));
                }
            }
            NodeReport report =
                    new NodeReport(
                            node,
                            MAP.clusterId(),
                            replicas,
                            Optional.empty(),
                            false,
                            List.of(),
                            List.of(),
                            DiskSpace.UNKNOWN,
                            false);
            heard.put(
                    node.nodeId(),
                    new LastReport(report, NOW, Map.of(), MAP.ranges().onNode(node.nodeId())));
        }
        ClusterView view =
                new ClusterView(
                        MAP, heard, leaders, NOW.minusSeconds(600), NOW, Policy.DEFAULT, Map.of());
        return Planner.plan(view, Policy.DEFAULT).decisions().stream()
                .filter(Decision.TransferLead.class::isInstance)
                .findFirst();
    }

    private static NodeReport.Replica replica(
            RangeDescriptor range, boolean leads, double operations) {
        RangeLoad load =
                new RangeLoad(
                        operations,
                        0,
                        0,
                        0,
                        0,
                        Duration.ofMinutes(5),
                        RangeLoad.Shape.SPREAD,
                        Optional.empty(),
                        0);
        return new NodeReport.Replica(
                range.rangeId(),
                range.generation(),
                leads,
                1,
                1,
                range.members(),
                List.of(),
                false,
                0,
                Optional.empty(),
                Optional.of(range.bounds()),
                leads ? Optional.of(load) : Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                NodeReport.Rows.AS_ALL);
    }

    private static Map<RangeId, NodeId> led(int... nodes) {
        Map<RangeId, NodeId> leaders = new HashMap<>();
        for (int i = 0; i < nodes.length; i++) {
            leaders.put(new RangeId(i + 1), id(nodes[i]));
        }
        return leaders;
    }

    @Test
    void idleNodeReceivesLeadership_whenOthersLeadTwoBusyRanges() {
        assertThat(next(led(1, 2, 2, 1, 3), 1_600))
                .get()
                .isInstanceOfSatisfying(
                        Decision.TransferLead.class,
                        transfer -> {
                            assertThat(transfer.to()).isEqualTo(id(4));
                            assertThat(transfer.from()).isIn(id(1), id(2));
                        });
    }

    @Test
    void leadershipStays_whenMovingCannotEvenTheLoad() {
        assertThat(next(led(4, 2, 2, 1, 3), 1_600)).isEmpty();
    }

    @Test
    void leadershipStays_whenLoadIsLow() {
        assertThat(next(led(1, 2, 2, 1, 3), 400)).isEmpty();
    }

    /** It would make the load no more even, and each lead that moves costs a pause. */
    @Test
    void coldRangeKeepsItsLeader_whenAnotherRangeHeatsItsNode() {
        Map<RangeId, NodeId> leaders = led(1, 2, 2, 1, 3);
        // Of node 1 only range 1 is hot, and any leader of it would be as busy as node 1.
        assertThat(next(leaders, Map.of(new RangeId(1), 9_000.0))).isEmpty();
    }

    /** A node that drains may lead thousands: that they wait is told once, not for each. */
    @Test
    void planTellsHowManyLeadershipsWait_whenTransfersAreLimited() {
        TwoRanges cluster = new TwoRanges(ids(1, 2, 3), ids(1, 2, 3));
        cluster.policy = PolicyTable.with(cluster.policy, Map.of("leadTransfersMax", "1"));
        cluster.apply(new MapCommand.SetNodeState(id(1), NodeState.LEADERSHIP_DRAINED));
        Plan plan = Planner.plan(cluster.view(), cluster.policy);
        assertThat(plan.leadTransfers()).hasSize(1);
        assertThat(plan.left())
                .filteredOn(left -> left.cause() == Decision.Cause.TOO_MANY_MOVES)
                .singleElement()
                .satisfies(
                        left -> {
                            assertThat(left.about()).isEmpty();
                            assertThat(left.why())
                                    .hasToString(
                                            "node n1 may lead no range, 1 of its leaderships wait:"
                                                    + " 1 are transferred at a time");
                        });
    }
}
