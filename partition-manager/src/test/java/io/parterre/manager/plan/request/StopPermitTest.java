package io.parterre.manager.plan.request;

import static io.parterre.manager.plan.view.Maps.after;
import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.DisruptionLease;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.LastReport;
import io.parterre.manager.plan.view.Maps;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StopPermitTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_000);
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
    private static final RangeId R1 = new RangeId(1);
    private static final long APPLIED = 1_000;

    private static final ClusterMap THREE =
            Maps.of(
                    List.of(Maps.node(id(1), ""), Maps.node(id(2), ""), Maps.node(id(3), "")),
                    List.of(ids(1, 2, 3)));

    /** The first leads the range, followers are level but those that lag. */
    private static ClusterView view(ClusterMap map, NodeId... lagging) {
        RangeDescriptor range = map.ranges().find(R1).orElseThrow();
        Map<NodeId, LastReport> heard = new HashMap<>();
        for (ClusterNode node : map.nodes()) {
            boolean leads = node.nodeId().equals(id(1));
            List<NodeReport.Follower> followers =
                    List.of(follower(id(2), lagging), follower(id(3), lagging));
            NodeReport.Replica replica =
                    new NodeReport.Replica(
                            R1,
                            range.generation(),
                            leads,
                            APPLIED,
                            APPLIED,
                            range.members(),
                            leads ? followers : List.of(),
                            false);
            heard.put(
                    node.nodeId(),
                    new LastReport(
                            new NodeReport(node, map.clusterId(), List.of(replica)),
                            NOW,
                            Map.of(),
                            map.ranges().onNode(node.nodeId())));
        }
        return new ClusterView(
                map, heard, Map.of(R1, id(1)), NOW.minusSeconds(30), NOW, Policy.DEFAULT, Map.of());
    }

    private static NodeReport.Follower follower(NodeId nodeId, NodeId... lagging) {
        long matched = List.of(lagging).contains(nodeId) ? 0 : APPLIED;
        return new NodeReport.Follower(nodeId, matched, Duration.ZERO);
    }

    private static ClusterMap held(int node, String reason) {
        return after(
                THREE,
                new MapCommand.TakeDisruptionLease(
                        new DisruptionLease(id(node), NOW.plus(TEN_MINUTES), reason), NOW));
    }

    private static StopIntent stops(String process) {
        return new StopIntent(process, Optional.of(TEN_MINUTES));
    }

    private static StopIntent runs(String process) {
        return new StopIntent(process, Optional.empty());
    }

    @Test
    void permitIsTakenForProcess_whenServerStops() {
        StopPermit.Decision decision = StopPermit.decide(view(THREE), id(2), stops("p1"));
        assertThat(decision.answer()).isEqualTo(PermitAnswer.HELD);
        assertThat(decision.command())
                .contains(
                        new MapCommand.TakeDisruptionLease(
                                new DisruptionLease(
                                        id(2),
                                        NOW.plus(TEN_MINUTES),
                                        DisruptionLease.reasonOf("p1")),
                                NOW));
    }

    @Test
    void permitIsRefused_whileAnotherHoldsItOrMajorityIsAtRisk() {
        StopPermit.Decision taken = StopPermit.decide(view(held(3, "disk")), id(2), stops("p1"));
        assertThat(taken.command()).isEmpty();
        assertThat(taken.answer())
                .isEqualTo(PermitAnswer.refused("node n3 holds the disruption permit"));
        StopPermit.Decision risky = StopPermit.decide(view(THREE, id(3)), id(2), stops("p1"));
        assertThat(risky.command()).isEmpty();
        assertThat(risky.answer().whyNot().orElseThrow()).contains("range 1 would stand still");
    }

    @Test
    void permitIsNotTakenAgain_whileProcessOrOperatorHoldsIt() {
        for (String reason : List.of(DisruptionLease.reasonOf("p1"), "kernel update")) {
            StopPermit.Decision again =
                    StopPermit.decide(view(held(2, reason)), id(2), stops("p1"));
            assertThat(again.command()).as(reason).isEmpty();
            assertThat(again.answer()).isEqualTo(PermitAnswer.HELD);
        }
    }

    /** What the earlier process took may be about to end. */
    @Test
    void permitIsTakenAgain_whenNextProcessStops() {
        ClusterMap before = held(2, DisruptionLease.reasonOf("p1"));
        StopPermit.Decision again = StopPermit.decide(view(before), id(2), stops("p2"));
        assertThat(again.command()).containsInstanceOf(MapCommand.TakeDisruptionLease.class);
        StopPermit.Decision risky = StopPermit.decide(view(before, id(3)), id(2), stops("p2"));
        assertThat(risky.answer().held()).isFalse();
    }

    @Test
    void permitIsReturned_onceNextProcessHasCaughtUp() {
        ClusterMap stopped = held(2, DisruptionLease.reasonOf("p1"));
        assertThat(StopPermit.decide(view(stopped, id(2)), id(2), runs("p2")).command())
                .as("it lags")
                .isEmpty();
        StopPermit.Decision returned = StopPermit.decide(view(stopped), id(2), runs("p2"));
        assertThat(returned.command()).contains(new MapCommand.ReturnDisruptionLease(id(2)));
        assertThat(returned.answer()).isEqualTo(PermitAnswer.NOT_ASKED);
    }

    @Test
    void permitIsKept_whenProcessIsTheSameOrOperatorTookIt() {
        ClusterMap own = held(2, DisruptionLease.reasonOf("p1"));
        assertThat(StopPermit.decide(view(own), id(2), runs("p1")).command())
                .as("a report from before the stop")
                .isEmpty();
        assertThat(StopPermit.decide(view(own), id(3), runs("p3")).command())
                .as("another server")
                .isEmpty();
        assertThat(StopPermit.decide(view(held(2, "disk")), id(2), runs("p2")).command())
                .as("an operator's")
                .isEmpty();
    }
}
