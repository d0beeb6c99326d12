package io.parterre.simulator;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapApply;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.plan.policy.DiskPolicy;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.LastReport;
import io.parterre.manager.plan.view.Leaders;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * A cluster of any size in which nothing happens, as its leading manager knows it: each node holds
 * what it should, and each range is led by its first member. Not thread-safe.
 */
public final class StillCluster {
    private final Leaders leaders = new Leaders();
    private final Map<NodeId, LastReport> heard = new HashMap<>();
    private ClusterMap map;

    /** Creates a cluster without reports. */
    public StillCluster(ClusterMap map) {
        this.map = map;
    }

    public ClusterMap map() {
        return map;
    }

    /** Makes all nodes report, or repeat their report. */
    public void allReport(Instant at) {
        for (ClusterNode node : map.nodes()) {
            LastReport before = heard.get(node.nodeId());
            hear(before == null ? report(node) : before.report(), at);
        }
    }

    /** Makes this the time of the node's last report. */
    public void lastReport(ClusterNode node, Instant at) {
        heard.remove(node.nodeId());
        hear(report(node), at);
    }

    private void hear(NodeReport report, Instant at) {
        NodeId nodeId = report.node().nodeId();
        for (NodeReport.Replica replica : report.replicas()) {
            if (replica.leading()) {
                leaders.leads(replica.rangeId(), nodeId);
            }
        }
        heard.put(
                nodeId,
                LastReport.next(
                        Optional.ofNullable(heard.get(nodeId)),
                        report,
                        at,
                        map.ranges().onNode(nodeId),
                        leaders,
                        heard,
                        false,
                        DiskPolicy.DEFAULT));
    }

    private NodeReport report(ClusterNode node) {
        List<NodeReport.Replica> replicas = new ArrayList<>();
        for (RangeId rangeId : map.ranges().onNode(node.nodeId())) {
            RangeDescriptor range = map.ranges().find(rangeId).orElseThrow();
            replicas.add(
                    new NodeReport.Replica(
                            rangeId,
                            range.generation(),
                            range.members().get(0).equals(node.nodeId()),
                            1,
                            1,
                            range.members(),
                            List.of(),
                            false));
        }
        return new NodeReport(node, map.clusterId(), replicas);
    }

    /**
     * Gives this many random ranges another generation, as after a move. Their members report it.
     */
    public void change(int ranges, Random random, Instant at) {
        Set<NodeId> members = new LinkedHashSet<>();
        for (int i = 0; i < ranges; i++) {
            RangeId rangeId = new RangeId(1 + random.nextInt(map.ranges().size()));
            RangeDescriptor range = map.ranges().find(rangeId).orElseThrow();
            map =
                    MapApply.apply(
                                    map,
                                    new MapCommand.UpdateRange(
                                            rangeId,
                                            range.generation(),
                                            range.generation().next(),
                                            range.members()))
                            .map();
            members.addAll(range.members());
        }
        members.forEach(member -> lastReport(map.node(member).orElseThrow(), at));
    }

    public ClusterView view(Instant now, Policy policy) {
        return new ClusterView(map, heard, leaders, Instant.EPOCH, now, policy, Map.of());
    }
}
