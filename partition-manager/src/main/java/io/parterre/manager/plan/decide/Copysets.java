package io.parterre.manager.plan.decide;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.plan.policy.CopysetPolicy;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Liveness;
import io.parterre.range.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which nodes may share ranges. If any node may share with any, almost any few nodes that are lost
 * at once are all members of some range. So nodes are arranged on some rings, on each in another
 * order. A <em>set</em> begins at each node of a ring ({@link NodeRing}). Two nodes are
 * <em>near</em> each other if some set has both. Members that are all near each other are a
 * <em>copyset</em>: the nodes of each set are one, and few other groups are. Immutable.
 *
 * <p>With N nodes, P rings and R replicas there are at most {@code P * N} sets. Each node is in
 * {@code P * R} of them on average and near at most {@code P * R * (R - 1)} others on average. The
 * real number is lower, because neighbouring sets have nodes in common.
 *
 * <p>A node that is added or removed changes only the sets that it is in. The rest of such a set is
 * still part of some set, so there is a node that makes it a copyset again.
 */
public final class Copysets {
    /** For a cluster that is too small for copysets: no node is a stranger. */
    static final Copysets NONE = new Copysets(Map.of());

    private final Map<NodeId, Set<NodeId>> near;

    private Copysets(Map<NodeId, Set<NodeId>> near) {
        this.near = near;
    }

    /**
     * Returns the copysets of nodes that are to hold replicas and are not dead. A node that is
     * silent for a while stays.
     */
    public static Copysets of(ClusterView view, Policy policy) {
        List<ClusterNode> nodes = new ArrayList<>();
        for (ClusterNode node : view.map().nodes()) {
            if (!node.state().givesReplicas() && view.liveness(node.nodeId()) != Liveness.DEAD) {
                nodes.add(node);
            }
        }
        return of(nodes, policy.replicas(), policy.copysets());
    }

    /**
     * Returns the copysets of these nodes, in any order.
     *
     * @param replicas members of a range
     */
    public static Copysets of(Collection<ClusterNode> nodes, int replicas, CopysetPolicy policy) {
        if (nodes.size() < policy.nodesMin() || replicas < 2) {
            return NONE;
        }
        Map<NodeId, Set<NodeId>> near = new HashMap<>();
        for (int number = 0; number < policy.rings(); number++) {
            for (List<NodeId> set : NodeRing.of(nodes, number).sets(replicas)) {
                for (NodeId node : set) {
                    near.computeIfAbsent(node, id -> new LinkedHashSet<>()).addAll(set);
                }
            }
        }
        near.forEach((node, others) -> others.remove(node));
        return new Copysets(near);
    }

    /** Returns whether copysets are in use. If not, no node is a stranger, and none is near. */
    public boolean areInUse() {
        return !near.isEmpty();
    }

    /** Returns the nodes that may share ranges with this one; none if it is to hold no replicas. */
    Set<NodeId> near(NodeId node) {
        return near.getOrDefault(node, Set.of());
    }

    /** Returns how many of the others are not near the node. */
    public int strangers(NodeId node, Collection<NodeId> others) {
        if (!areInUse()) {
            return 0;
        }
        int strangers = 0;
        for (NodeId other : others) {
            strangers += other.equals(node) || near(node).contains(other) ? 0 : 1;
        }
        return strangers;
    }

    /** Returns whether all members are near each other. */
    public boolean isCopyset(Collection<NodeId> members) {
        for (NodeId member : members) {
            if (strangers(member, members) > 0) {
                return false;
            }
        }
        return true;
    }
}
