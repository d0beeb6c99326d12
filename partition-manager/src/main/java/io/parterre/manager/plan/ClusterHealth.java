package io.parterre.manager.plan;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.NodeState;
import io.parterre.range.RangeDescriptor;
import java.util.EnumMap;
import java.util.Map;

/**
 * The cluster in a few numbers.
 *
 * @param nodes by liveness, without those that have left
 * @param withoutLeader ranges that nobody claims to lead now
 * @param underReplicated ranges with fewer healthy members than they should have
 */
public record ClusterHealth(
        Map<Liveness, Integer> nodes, int ranges, int withoutLeader, int underReplicated) {
    /** Of a cluster that nothing is known of. */
    public static final ClusterHealth UNKNOWN = new ClusterHealth(Map.of(), 0, 0, 0);

    public ClusterHealth {
        nodes = Map.copyOf(nodes);
    }

    public static ClusterHealth of(ClusterView view) {
        Map<Liveness, Integer> nodes = new EnumMap<>(Liveness.class);
        for (ClusterNode node : view.map().nodes()) {
            if (node.state() != NodeState.REMOVED) {
                nodes.merge(view.liveness(node.nodeId()), 1, Integer::sum);
            }
        }
        int withoutLeader = 0;
        int underReplicated = 0;
        for (RangeDescriptor range : view.map().ranges().inKeyOrder()) {
            if (view.leader(range.rangeId()).isEmpty()) {
                withoutLeader++;
            }
            if (view.healthy(range) < view.policy().replicas()) {
                underReplicated++;
            }
        }
        return new ClusterHealth(nodes, view.map().ranges().size(), withoutLeader, underReplicated);
    }

    public int nodes(Liveness liveness) {
        return nodes.getOrDefault(liveness, 0);
    }
}
