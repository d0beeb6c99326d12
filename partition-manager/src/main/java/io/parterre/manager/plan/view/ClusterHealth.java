package io.parterre.manager.plan.view;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.NodeState;
import java.util.EnumMap;
import java.util.Map;

/**
 * The cluster in a few numbers.
 *
 * @param nodes by liveness, without those that have left
 * @param withoutLeader ranges that nobody claims to lead now
 * @param underReplicated ranges with fewer healthy members than they should have
 * @param damagedReplicas members that have to be rebuilt because what they hold is damaged
 * @param damagedNodes nodes that cannot use their store
 * @param ailing nodes that are to lead nothing, by what ails them
 */
public record ClusterHealth(
        Map<Liveness, Integer> nodes,
        int ranges,
        int withoutLeader,
        int underReplicated,
        int damagedReplicas,
        int damagedNodes,
        Map<NodeFault, Integer> ailing) {
    /** Of a cluster that nothing is known of. */
    public static final ClusterHealth UNKNOWN =
            new ClusterHealth(Map.of(), 0, 0, 0, 0, 0, Map.of());

    public ClusterHealth {
        nodes = Map.copyOf(nodes);
        ailing = Map.copyOf(ailing);
    }

    /** Health of which nothing is known from a round before. */
    public static ClusterHealth of(ClusterView view) {
        return of(view, Census.of(view, view.policy().replicas(), new OddRanges()));
    }

    /**
     * The numbers.
     *
     * @param census of this view, by as many replicas as its policy wants
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
