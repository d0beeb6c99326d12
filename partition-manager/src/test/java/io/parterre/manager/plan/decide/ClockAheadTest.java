package io.parterre.manager.plan.decide;

import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.plan.explain.Explanation;
import io.parterre.manager.plan.explain.NodeExplanation;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClockVerdict;
import io.parterre.manager.plan.view.ClusterHealth;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.LastReport;
import io.parterre.manager.plan.view.Maps;
import io.parterre.manager.plan.view.NodeFault;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A node whose clock is an hour ahead of the others'. */
final class ClockAheadTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_000);
    private static final RangeId RANGE = new RangeId(1);
    private static final ClusterMap MAP =
            Maps.of(
                    IntStream.rangeClosed(1, 4).mapToObj(n -> Maps.node(id(n), "")).toList(),
                    List.of(ids(1, 2, 3)));

    /** Of range 1, which node 1 leads; all report. */
    private static ClusterView view(NodeId... ahead) {
        RangeDescriptor range = MAP.ranges().find(RANGE).orElseThrow();
        Map<NodeId, LastReport> heard = new HashMap<>();
        for (ClusterNode node : MAP.nodes()) {
            List<NodeReport.Replica> replicas =
                    range.members().contains(node.nodeId())
                            ? List.of(
                                    new NodeReport.Replica(
                                            RANGE,
                                            range.generation(),
                                            node.nodeId().equals(id(1)),
                                            1,
                                            1,
                                            range.members(),
                                            List.of(),
                                            false))
                            : List.of();
            LastReport latest =
                    new LastReport(
                            new NodeReport(node, MAP.clusterId(), replicas),
                            NOW,
                            Map.of(),
                            MAP.ranges().onNode(node.nodeId()));
            boolean wrong = List.of(ahead).contains(node.nodeId());
            heard.put(
                    node.nodeId(),
                    wrong
                            ? latest.withClock(new ClockVerdict(true, Duration.ofHours(1), true))
                            : latest);
        }
        return new ClusterView(
                MAP,
                heard,
                Map.of(RANGE, id(1)),
                NOW.minusSeconds(30),
                NOW,
                Policy.DEFAULT,
                Map.of());
    }

    /** What is to be done, without what is left and why. */
    private static List<Decision> decisions(ClusterView view) {
        return Planner.plan(view, Policy.DEFAULT).decisions().stream()
                .filter(decision -> !(decision instanceof Decision.Leave))
                .toList();
    }

    @Test
    void nodeLosesLeadership_whenItsClockIsAhead() {
        assertThat(decisions(view(id(1))))
                .singleElement()
                .isInstanceOfSatisfying(
                        Decision.TransferLead.class,
                        transfer -> {
                            assertThat(transfer.from()).isEqualTo(id(1));
                            assertThat(transfer.to()).isIn(id(2), id(3));
                            assertThat(transfer.why())
                                    .asString()
                                    .contains("its clock is 3600 s ahead of what most clocks");
                        });
    }

    @Test
    void leadGoesToMemberWithRightClock_whenAnotherIsAheadToo() {
        assertThat(decisions(view(id(1), id(2))))
                .singleElement()
                .isInstanceOfSatisfying(
                        Decision.TransferLead.class,
                        transfer -> assertThat(transfer.to()).isEqualTo(id(3)));
    }

    @Test
    void nodeKeepsItsReplicasAndIsHealthy_whenItsClockIsAhead() {
        ClusterView view = view(id(2));
        assertThat(decisions(view)).isEmpty();
        assertThat(view.health(RANGE, id(2))).isEqualTo(Health.HEALTHY);
    }

    @Test
    void nodeReceivesNoReplicas_whenItsClockIsAhead() {
        assertThat(view(id(4)).takesMore(id(4))).isFalse();
        assertThat(view(id(1)).takesMore(id(4))).isTrue();
    }

    @Test
    void explanationsNameTheClock() {
        ClusterView view = view(id(2));
        RangeDescriptor range = MAP.ranges().find(RANGE).orElseThrow();
        assertThat(Explanation.of(view, Plan.NONE, range))
                .contains(
                        "the node of member "
                                + id(2)
                                + " may lead no range: its clock is 3600 s ahead of what most"
                                + " clocks say");
        assertThat(NodeExplanation.of(view, Plan.NONE, MAP.node(id(2)).orElseThrow()))
                .anyMatch(reason -> reason.contains("its clock is 3600 s ahead"));
        assertThat(ClusterHealth.of(view).ailing(NodeFault.CLOCK_AHEAD)).isEqualTo(1);
        assertThat(MergePlanner.unrest(view)).isPresent();
    }
}
