package io.parterre.simulator;

import io.parterre.disk.DiskSpace;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.plan.view.RangeLoad;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes the nodes' reports. */
final class SimReports {
    private final SimState state;

    SimReports(SimState state) {
        this.state = state;
    }

    /**
     * Returns the node's last report, if nothing has happened to the node and the report is not too
     * old; else a new one.
     */
    NodeReport of(SimNode node, ClusterMap map) {
        long age = state.second - node.reportedAt;
        if (node.changed || node.reported.isEmpty() || age >= state.network.reportsKeptSeconds()) {
            node.reported = Optional.of(fresh(node, map));
            node.reportedAt = state.second;
            node.changed = false;
        }
        return node.reported.get();
    }

    private NodeReport fresh(SimNode node, ClusterMap map) {
        List<NodeReport.Replica> replicas = new ArrayList<>();
        if (!node.storeDamaged) {
            for (Map.Entry<RangeId, SimReplica> each : node.replicas.entrySet()) {
                replicas.add(replica(node, each.getKey(), each.getValue()));
            }
        }
        return new NodeReport(
                node.self,
                map.clusterId(),
                replicas,
                node.storeDamaged ? Optional.of("a bad block") : Optional.empty(),
                false,
                node.refusals.ofSplits(),
                node.refusals.ofMerges(),
                space(node),
                false);
    }

    private DiskSpace space(SimNode node) {
        long used = node.otherBytes;
        for (RangeId rangeId : node.replicas.keySet()) {
            SimGroup group = state.groups.get(rangeId);
            used += group == null ? 0 : state.bytes.applyAsLong(group.bounds());
        }
        return DiskSpace.told(node.diskBytes - used, node.diskBytes);
    }

    private NodeReport.Replica replica(SimNode node, RangeId rangeId, SimReplica replica) {
        SimGroup group = state.groups.get(rangeId);
        boolean leads = group != null && group.isLedBy(node.nodeId());
        return new NodeReport.Replica(
                rangeId,
                replica.generation,
                leads,
                state.second,
                state.second,
                replica.members,
                leads ? followers(rangeId, group, node.nodeId()) : List.of(),
                replica.joining,
                group == null ? 0 : state.bytes.applyAsLong(group.bounds()),
                replica.damaged
                        ? Optional.of(new NodeReport.Damage("a bad entry", !replica.held))
                        : Optional.empty(),
                leads ? Optional.of(group.bounds()) : Optional.empty(),
                leads ? load(group) : Optional.empty(),
                Optional.empty(),
                leads ? group.descriptor.frozenFor() : Optional.empty(),
                NodeReport.Rows.AS_ALL);
    }

    private List<NodeReport.Follower> followers(RangeId rangeId, SimGroup group, NodeId leader) {
        List<NodeReport.Follower> followers = new ArrayList<>();
        for (NodeId member : group.members()) {
            if (!member.equals(leader)) {
                boolean serves = state.serves(rangeId, member);
                followers.add(
                        new NodeReport.Follower(
                                member,
                                serves ? state.second : 0,
                                Duration.ofSeconds(serves ? 0 : 60)));
            }
        }
        return followers;
    }

    private Optional<RangeLoad> load(SimGroup group) {
        return group.asked(state.load)
                .map(
                        asked ->
                                SimLoad.seen(
                                        asked,
                                        Duration.ofSeconds(state.second - group.ledSince),
                                        noise()));
    }

    private double noise() {
        return state.noisePercent == 0
                ? 1
                : 1 + (state.random.nextDouble() * 2 - 1) * state.noisePercent / 100;
    }
}
