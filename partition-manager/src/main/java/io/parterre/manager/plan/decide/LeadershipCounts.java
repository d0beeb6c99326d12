package io.parterre.manager.plan.decide;

import io.parterre.manager.plan.view.ClusterView;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The number of ranges that nodes lead, counted at their last known leader, with transfers in
 * progress. The ranges themselves are looked up only for the few nodes for which they are needed.
 * For one round.
 */
final class LeadershipCounts {
    private final ClusterView view;
    private final Map<NodeId, int[]> counts = new HashMap<>();

    LeadershipCounts(ClusterView view) {
        this.view = view;
    }

    int of(NodeId node) {
        return countOf(node)[0];
    }

    private int[] countOf(NodeId node) {
        return counts.computeIfAbsent(node, id -> new int[] {view.lastLeads(id)});
    }

    /** Counts a leadership that moves from one node to another. */
    void shift(NodeId from, NodeId to) {
        countOf(from)[0]--;
        countOf(to)[0]++;
    }

    /** Returns the ranges that the node led last, sorted by id. */
    List<RangeDescriptor> ledBy(NodeId node) {
        List<RangeDescriptor> led = new ArrayList<>();
        for (RangeId rangeId : view.map().ranges().onNode(node)) {
            if (view.lastLeader(rangeId).filter(node::equals).isPresent()) {
                led.add(view.map().ranges().find(rangeId).orElseThrow());
            }
        }
        return led;
    }
}
