package io.parterre.manager.plan.decide;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.plan.policy.Demand;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.policy.SplitPolicy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.LeadershipSummary;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.plan.view.RangeLoad;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What is asked of nodes by way of the ranges they lead, in operations per second as {@link
 * SplitPolicy#weigh} counts them. Numbers of a leader that has not led for long count, and are
 * marked: they still rise. For one round.
 */
final class LeaderLoads {
    private final Map<NodeId, Demand> byNode = new HashMap<>();
    private final ClusterView view;
    private final SplitPolicy policy;
    private final Set<NodeId> unsettled = new HashSet<>();

    LeaderLoads(ClusterView view, Policy policy) {
        this.view = view;
        this.policy = policy.split();
        for (ClusterNode node : view.map().nodes()) {
            LeadershipSummary leads = view.leadSummary(node.nodeId());
            byNode.put(node.nodeId(), leads.demand());
            if (leads.isUnsettled(policy.split().observeFor())) {
                unsettled.add(node.nodeId());
            }
        }
    }

    double of(NodeId node) {
        return with(node, Demand.NONE);
    }

    /** What it would be with so much more. */
    double with(NodeId node, Demand more) {
        return policy.weigh(byNode.getOrDefault(node, Demand.NONE).plus(more));
    }

    /** Whether what it leads was led elsewhere, or within other bounds, a moment ago. */
    boolean isUnsettled(NodeId node) {
        return unsettled.contains(node);
    }

    /** What is asked of one range, by its leader's latest word. */
    Demand demand(NodeId leader, RangeId rangeId) {
        return view.report(leader)
                .flatMap(report -> report.replica(rangeId))
                .flatMap(NodeReport.Replica::load)
                .map(RangeLoad::demand)
                .orElse(Demand.NONE);
    }

    /** The same, weighed. */
    double operations(NodeId leader, RangeId rangeId) {
        return policy.weigh(demand(leader, rangeId));
    }

    /** Counts a leadership that is on its way. */
    void shift(Decision.TransferLead transfer) {
        shift(transfer.from(), transfer.to(), demand(transfer.from(), transfer.rangeId()));
    }

    /** Counts what is on its way from one node to another. */
    void shift(NodeId from, NodeId to, Demand moved) {
        byNode.merge(from, moved, Demand::minus);
        byNode.merge(to, moved, Demand::plus);
    }
}
