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
 * The load on nodes of the ranges that they lead, in operations per second as weighed by {@link
 * SplitPolicy#weigh}. The figures of a leader that has not led for long count, but are marked
 * because they still rise. For one round.
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

    /** Returns the node's load with this demand added. */
    double with(NodeId node, Demand more) {
        return policy.weigh(byNode.getOrDefault(node, Demand.NONE).plus(more));
    }

    /**
     * Returns whether a range that the node leads had another leader or other bounds a moment ago.
     */
    boolean isUnsettled(NodeId node) {
        return unsettled.contains(node);
    }

    /** Returns the demand of one range, by its leader's latest report. */
    Demand demand(NodeId leader, RangeId rangeId) {
        return view.report(leader)
                .flatMap(report -> report.replica(rangeId))
                .flatMap(NodeReport.Replica::load)
                .map(RangeLoad::demand)
                .orElse(Demand.NONE);
    }

    /** Returns the weighed demand of one range. */
    double operations(NodeId leader, RangeId rangeId) {
        return policy.weigh(demand(leader, rangeId));
    }

    /** Counts a leadership transfer that is in progress. */
    void shift(Decision.TransferLead transfer) {
        shift(transfer.from(), transfer.to(), demand(transfer.from(), transfer.rangeId()));
    }

    /** Counts load that is moving from one node to another. */
    void shift(NodeId from, NodeId to, Demand moved) {
        byNode.merge(from, moved, Demand::minus);
        byNode.merge(to, moved, Demand::plus);
    }
}
