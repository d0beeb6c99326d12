package io.parterre.manager.plan.decide;

import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.disk.DiskSpace;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.LastReport;
import io.parterre.manager.plan.view.Maps;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A node that says its disk does not answer. */
final class StalledDiskTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_000);
    private static final RangeId RANGE = new RangeId(1);
    private static final ClusterMap MAP =
            Maps.of(
                    IntStream.rangeClosed(1, 4).mapToObj(n -> Maps.node(id(n), "")).toList(),
                    List.of(ids(1, 2, 3)));

    /** Of range 1, which node 1 leads; all report. */
    private static ClusterView view(NodeId stalled) {
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
            NodeReport report =
                    new NodeReport(
                            node,
                            MAP.clusterId(),
                            replicas,
                            Optional.empty(),
                            node.nodeId().equals(stalled),
                            List.of(),
                            List.of(),
                            DiskSpace.UNKNOWN,
                            false);
            heard.put(
                    node.nodeId(),
                    new LastReport(report, NOW, Map.of(), MAP.ranges().onNode(node.nodeId())));
        }
        return new ClusterView(
                MAP, heard, Map.of(RANGE, id(1)), NOW.minusSeconds(30), NOW, Policy.DEFAULT);
    }

    /** What is to be done, without what is left and why. */
    private static List<Decision> decided(ClusterView view) {
        return Planner.plan(view, Policy.DEFAULT).decisions().stream()
                .filter(decision -> !(decision instanceof Decision.Leave))
                .toList();
    }

    @Test
    void nodeLosesLeadership_whenItsDiskStalls() {
        assertThat(decided(view(id(1))))
                .singleElement()
                .isInstanceOfSatisfying(
                        Decision.TransferLead.class,
                        transfer -> {
                            assertThat(transfer.from()).isEqualTo(id(1));
                            assertThat(transfer.to()).isIn(id(2), id(3));
                        });
    }

    @Test
    void nodeKeepsReplicasButCountsAsSilent_whenItsDiskStalls() {
        ClusterView view = view(id(2));
        assertThat(decided(view)).isEmpty();
        assertThat(view.health(RANGE, id(2))).isEqualTo(Health.SILENT);
        assertThat(view.healthy(MAP.ranges().find(RANGE).orElseThrow())).isEqualTo(2);
    }

    @Test
    void nodeReceivesNoReplicas_whenItsDiskStalls() {
        assertThat(view(id(4)).takesMore(id(4))).isFalse();
        assertThat(view(id(1)).takesMore(id(4))).isTrue();
    }
}
