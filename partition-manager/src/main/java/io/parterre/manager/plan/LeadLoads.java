package io.parterre.manager.plan;

import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is asked of nodes by way of the ranges they lead, in operations per second. Numbers of a
 * leader that has not led for long count, and are marked: they still rise. For one round.
 */
final class LeadLoads {
    private final Map<NodeId, Double> byNode = new HashMap<>();
    private final Set<NodeId> unsettled = new HashSet<>();

    LeadLoads(ClusterView view, Policy policy) {
        for (RangeDescriptor range : view.map().ranges().inKeyOrder()) {
            Optional<NodeId> leader = view.leader(range.rangeId());
            Optional<RangeLoad> load = view.load(range.rangeId());
            if (leader.isEmpty() || load.isEmpty()) {
                leader.ifPresent(unsettled::add);
                continue;
            }
            byNode.merge(leader.get(), load.get().operationsPerSecond(), Double::sum);
            if (load.get().observed().compareTo(policy.split().observeFor()) < 0) {
                unsettled.add(leader.get());
            }
        }
    }

    double of(NodeId node) {
        return byNode.getOrDefault(node, 0.0);
    }

    /** Whether what it leads was led elsewhere, or within other bounds, a moment ago. */
    boolean isUnsettled(NodeId node) {
        return unsettled.contains(node);
    }

    /** Counts what is on its way from one node to another. */
    void shift(NodeId from, NodeId to, double operationsPerSecond) {
        byNode.merge(from, -operationsPerSecond, Double::sum);
        byNode.merge(to, operationsPerSecond, Double::sum);
    }
}
