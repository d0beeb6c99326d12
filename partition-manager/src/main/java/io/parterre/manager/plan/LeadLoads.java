package io.parterre.manager.plan;

import io.parterre.range.NodeId;
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
        view.forEachLeading((node, replica) -> count(node, replica.load(), policy));
    }

    private void count(NodeId node, Optional<RangeLoad> load, Policy policy) {
        load.ifPresent(known -> byNode.merge(node, known.operationsPerSecond(), Double::sum));
        if (load.filter(known -> known.observed().compareTo(policy.split().observeFor()) >= 0)
                .isEmpty()) {
            unsettled.add(node);
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
