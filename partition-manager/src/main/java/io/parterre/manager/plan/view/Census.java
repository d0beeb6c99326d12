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
 * What is told of all ranges, without a look at each: a look at all nodes, and at the ranges of
 * those that are not well. With a million ranges, a pass over them is what a round would cost. Made
 * once a round, for the planner and for {@link ClusterHealth}. Immutable; safe for any thread.
 *
 * @param restless ranges that may need something, in no order. All others have as many members as
 *     they should, all of which are healthy and stay, no two of them in one zone
 * @param withoutLeader ranges that nobody claims to lead now
 * @param underReplicated ranges with fewer healthy members than they should have
 * @param damagedReplicas members that have to be rebuilt because what they hold is damaged
 */
public record Census(
        List<RangeDescriptor> restless,
        int withoutLeader,
        int underReplicated,
        int damagedReplicas) {
    /** If more than one node in so many is not well, one pass over all ranges is quicker. */
    private static final int FEW = 8;

    public Census {
        restless = List.copyOf(restless);
    }

    /**
     * Looks at a cluster.
     *
     * @param replicas that a range should have
     * @param odd what was kept of the round before
     */
    public static Census of(ClusterView view, int replicas, OddRanges odd) {
        RangeTable table = view.map().ranges();
        Set<NodeId> unwell = new LinkedHashSet<>();
        int damaged = 0;
        for (NodeId node : table.holders()) {
            if (!view.isWhole(node) || view.givesReplicas(node)) {
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

    /** Ranges with one of these members, each once. */
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

    /** Ranges of the map that are led by the leader's fresh word. */
    private static int led(ClusterView view) {
        int led = 0;
        for (ClusterNode node : view.map().nodes()) {
            if (view.isLeadAsTold(node.nodeId())) {
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
