package io.parterre.manager.plan.decide;

import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;

import io.parterre.disk.DiskSpace;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClockVerdict;
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
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Four nodes that all report; range 1 has replicas on nodes 1, 2 and 3, and node 1 leads it. */
final class FourNodes {
    static final RangeId RANGE = new RangeId(1);
    static final ClusterMap MAP =
            Maps.of(
                    IntStream.rangeClosed(1, 4).mapToObj(n -> Maps.node(id(n), "")).toList(),
                    List.of(ids(1, 2, 3)));

    private static final Instant NOW = Instant.ofEpochSecond(1_000);

    private FourNodes() {}

    static RangeDescriptor range() {
        return MAP.ranges().find(RANGE).orElseThrow();
    }

    /** With a disk of one node that does not answer. */
    static ClusterView withStalledDisk(NodeId stalled) {
        return view(stalled::equals, node -> false);
    }

    /** With clocks that are an hour ahead of the others'. */
    static ClusterView withClocksAhead(NodeId... ahead) {
        return view(node -> false, List.of(ahead)::contains);
    }

    private static ClusterView view(Predicate<NodeId> stalled, Predicate<NodeId> ahead) {
        Map<NodeId, LastReport> heard = new HashMap<>();
        for (ClusterNode node : MAP.nodes()) {
            NodeId nodeId = node.nodeId();
            LastReport latest =
                    new LastReport(
                            report(node, stalled.test(nodeId)),
                            NOW,
                            Map.of(),
                            MAP.ranges().onNode(nodeId));
            heard.put(
                    nodeId,
                    ahead.test(nodeId)
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

    private static NodeReport report(ClusterNode node, boolean stalled) {
        RangeDescriptor range = range();
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
        return new NodeReport(
                node,
                MAP.clusterId(),
                replicas,
                Optional.empty(),
                stalled,
                List.of(),
                List.of(),
                DiskSpace.UNKNOWN,
                false);
    }

    /** What is to be done, without what is left and why. */
    static List<Decision> decisions(ClusterView view) {
        return Planner.plan(view, Policy.DEFAULT).decisions().stream()
                .filter(decision -> !(decision instanceof Decision.Leave))
                .toList();
    }
}
