package io.parterre.manager.plan.view;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.NodeState;
import java.util.EnumMap;
import java.util.Map;

/**
 * The health of the cluster in a few figures.
 *
 * @param nodes by liveness, without removed nodes
 * @param withoutLeader ranges that no node claims to lead now
 * @param underReplicated ranges with fewer healthy members than they should have
 * @param damagedReplicas members that have to be rebuilt because they are damaged
 * @param damagedNodes nodes that cannot use their store
 * @param ailing nodes that must not lead, by fault
 */
public record ClusterHealth(
        Map<Liveness, Integer> nodes,
        int ranges,
        int withoutLeader,
        int underReplicated,
        int damagedReplicas,
        int damagedNodes,
        Map<NodeFault, Integer> ailing) {
    /** The health of a cluster of which nothing is known. */
    public static final ClusterHealth UNKNOWN =
            new ClusterHealth(Map.of(), 0, 0, 0, 0, 0, Map.of());

    public ClusterHealth {
        nodes = Map.copyOf(nodes);
        ailing = Map.copyOf(ailing);
    }

    /** Returns the figures without anything kept from a previous round. */
    public static ClusterHealth of(ClusterView view) {
        return of(view, Census.of(view, view.policy().replicas(), new OddRanges()));
    }

    /**
     * Returns the figures.
     *
     * @param census of this view, with the replicas of its policy
     */
    public static ClusterHealth of(ClusterView view, Census census) {
        Map<Liveness, Integer> nodes = new EnumMap<>(Liveness.class);
        Map<NodeFault, Integer> ailing = new EnumMap<>(NodeFault.class);
        int damagedNodes = 0;
        for (ClusterNode node : view.map().nodes()) {
            if (view.damage(node.nodeId()).isPresent()) {
                damagedNodes++;
            }
            if (node.state() != NodeState.REMOVED) {
                view.ailment(node.nodeId()).ifPresent(what -> ailing.merge(what, 1, Integer::sum));
                nodes.merge(view.liveness(node.nodeId()), 1, Integer::sum);
            }
        }
        return new ClusterHealth(
                nodes,
                view.map().ranges().size(),
                census.withoutLeader(),
                census.underReplicated(),
                census.damagedReplicas(),
                damagedNodes,
                ailing);
    }

    public int ailing(NodeFault what) {
        return ailing.getOrDefault(what, 0);
    }

    public int nodes(Liveness liveness) {
        return nodes.getOrDefault(liveness, 0);
    }
}
