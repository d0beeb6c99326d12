package io.parterre.manager.plan;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decides what a node has to bring about. Stateless; safe for any thread. */
public final class Orders {
    private Orders() {}

    /**
     * Keep a replica of this range.
     *
     * @param nodes the nodes of its members
     */
    public record HostReplica(RangeDescriptor range, List<ClusterNode> nodes) {
        public HostReplica {
            nodes = List.copyOf(nodes);
        }
    }

    /**
     * Replicas that the map places on the node and that its report lacks, or has at an older
     * generation.
     *
     * @param reported what the node holds
     * @param ordersMax at most so many; the rest follows with the next report
     */
    public static List<HostReplica> forNode(
            ClusterMap map, NodeId nodeId, Map<RangeId, Generation> reported, int ordersMax) {
        List<HostReplica> orders = new ArrayList<>();
        for (RangeId rangeId : map.ranges().onNode(nodeId)) {
            if (orders.size() == ordersMax) {
                break;
            }
            RangeDescriptor range = map.ranges().find(rangeId).orElseThrow();
            Generation held = reported.get(rangeId);
            if (held == null || held.compareTo(range.generation()) < 0) {
                orders.add(new HostReplica(range, nodes(map, range)));
            }
        }
        return orders;
    }

    private static List<ClusterNode> nodes(ClusterMap map, RangeDescriptor range) {
        return range.members().stream().map(map::node).flatMap(Optional::stream).toList();
    }
}
