package io.parterre.manager.plan;

import io.parterre.manager.map.ClusterNode;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What is asked of nodes by way of the ranges they lead, in operations per second. Numbers of a
 * leader that has not led for long count, and are marked: they still rise. For one round.
 */
final class LeadLoads {
    private final Map<NodeId, Double> byNode = new HashMap<>();
    private final ClusterView view;
    private final Set<NodeId> unsettled = new HashSet<>();

    LeadLoads(ClusterView view, Policy policy) {
        this.view = view;
        for (ClusterNode node : view.map().nodes()) {
            LeadSummary leads = view.leadSummary(node.nodeId());
            byNode.put(node.nodeId(), leads.operationsPerSecond());
            if (leads.isUnsettled(policy.split().observeFor())) {
                unsettled.add(node.nodeId());
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

    /** What is asked of one range, by its leader's latest word. */
    double operations(NodeId leader, RangeId rangeId) {
        return view.report(leader)
                .flatMap(report -> report.replica(rangeId))
                .flatMap(NodeReport.Replica::load)
                .map(RangeLoad::operationsPerSecond)
                .orElse(0.0);
    }

    /** Counts a lead that is on its way. */
    void shift(Decision.TransferLead transfer) {
        shift(transfer.from(), transfer.to(), operations(transfer.from(), transfer.rangeId()));
    }

    /** Counts what is on its way from one node to another. */
    void shift(NodeId from, NodeId to, double operationsPerSecond) {
        byNode.merge(from, -operationsPerSecond, Double::sum);
        byNode.merge(to, operationsPerSecond, Double::sum);
    }
}
