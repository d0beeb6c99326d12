package io.parterre.manager.plan;

import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many ranges nodes lead, counted where they were led last, with those on their way. Which ones
 * is looked up for the few nodes of which it is asked. For one round.
 */
final class Leads {
    private final ClusterView view;
    private final Survey survey;
    private final Map<NodeId, Integer> shifted = new HashMap<>();

    Leads(ClusterView view, Survey survey) {
        this.view = view;
        this.survey = survey;
    }

    int of(NodeId node) {
        return survey.leads(node) + shifted.getOrDefault(node, 0);
    }

    /** Counts a lead that goes from one node to another. */
    void shift(NodeId from, NodeId to) {
        shifted.merge(from, -1, Integer::sum);
        shifted.merge(to, 1, Integer::sum);
    }

    /** Ranges that the node led last, by id. */
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
