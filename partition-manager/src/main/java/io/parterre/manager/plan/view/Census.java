package io.parterre.manager.plan.view;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.RangeTable;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Figures about all ranges that are found without a pass over all of them: only nodes, and the
 * ranges of unhealthy nodes, are examined. With a million ranges, such a pass would make up the
 * cost of a round. Made once a round, for the planner and for {@link ClusterHealth}. Immutable.
 *
 * @param restless ranges that may need something, in no order. All other ranges have the right
 *     number of members, all of which are healthy and stay, and no two of which are in one zone
 * @param withoutLeader ranges that no node claims to lead now
 * @param underReplicated ranges with fewer healthy members than they should have
 * @param damagedReplicas members that have to be rebuilt because they are damaged
 */
public record Census(
        List<RangeDescriptor> restless,
        int withoutLeader,
        int underReplicated,
        int damagedReplicas) {
    /** If more than one node in this many is unhealthy, one pass over all ranges is quicker. */
    private static final int FEW = 8;

    public Census {
        restless = List.copyOf(restless);
    }

    /**
     * Examines a cluster.
     *
     * @param replicas that a range should have
     * @param odd what was kept from the previous round
     */
    public static Census of(ClusterView view, int replicas, OddRanges odd) {
        RangeTable table = view.map().ranges();
        Set<NodeId> unwell = new LinkedHashSet<>();
        int damaged = 0;
        for (NodeId node : table.holders()) {
            if (!view.reportsAllReplicas(node) || view.givesReplicas(node)) {
                unwell.add(node);
            }
            if (view.report(node).filter(NodeReport::isAnyDamaged).isPresent()) {
                for (RangeId rangeId : table.onNode(node)) {
                    damaged += view.damage(node, rangeId).isPresent() ? 1 : 0;
                }
            }
        }
        List<RangeDescriptor> restless = touched(table, unwell);
        int lacking = 0;
        for (RangeDescriptor range : restless) {
            lacking += view.healthy(range) < replicas ? 1 : 0;
        }
        for (RangeDescriptor range : odd.of(view, replicas)) {
            if (first(range, unwell).isEmpty()) {
                restless.add(range);
                lacking += range.members().size() < replicas ? 1 : 0;
            }
        }
        return new Census(restless, table.size() - led(view), lacking, damaged);
    }

    /** Returns the ranges with one of these members, each once. */
    private static List<RangeDescriptor> touched(RangeTable table, Set<NodeId> unwell) {
        List<RangeDescriptor> touched = new ArrayList<>();
        if (unwell.size() > table.holders().size() / FEW) {
            for (RangeDescriptor range : table.inKeyOrder()) {
                if (first(range, unwell).isPresent()) {
                    touched.add(range);
                }
            }
            return touched;
        }
        for (NodeId node : unwell) {
            for (RangeId rangeId : table.onNode(node)) {
                RangeDescriptor range = table.find(rangeId).orElseThrow();
                if (first(range, unwell).filter(node::equals).isPresent()) {
                    touched.add(range);
                }
            }
        }
        return touched;
    }

    private static Optional<NodeId> first(RangeDescriptor range, Set<NodeId> unwell) {
        for (NodeId member : range.members()) {
            if (unwell.contains(member)) {
                return Optional.of(member);
            }
        }
        return Optional.empty();
    }

    /** Counts ranges of the map whose leader has reported lately that it leads them. */
    private static int led(ClusterView view) {
        int led = 0;
        for (ClusterNode node : view.map().nodes()) {
            if (view.leadsAsReported(node.nodeId())) {
                led += view.leadSummary(node.nodeId()).ranges();
            } else {
                for (NodeReport.Replica replica : view.leading(node.nodeId())) {
                    led += view.map().ranges().find(replica.rangeId()).isPresent() ? 1 : 0;
                }
            }
        }
        return led;
    }
}
