package io.parterre.simulator;

import io.parterre.range.NodeId;
import java.util.Map;

/** Counts how often a change of leaderships overloaded a node. */
final class Overloads {
    private final SimState state;
    private Map<NodeId, Double> last = Map.of();
    private int changedBefore;

    /** Operations a second above which a node is overloaded. */
    double capacity = Double.MAX_VALUE;

    int byMoves;

    Overloads(SimState state) {
        this.state = state;
    }

    /** Called before orders are carried out. */
    void before(int changed) {
        changedBefore = changed;
        if (capacity < Double.MAX_VALUE) {
            last = state.askedByNode();
        }
    }

    /** Called afterwards in the same second, with the same total load. */
    void after(int changed) {
        if (capacity == Double.MAX_VALUE || changed == changedBefore) {
            return;
        }
        state.askedByNode()
                .forEach(
                        (node, now) -> {
                            if (now > capacity && now > last.getOrDefault(node, 0.0)) {
                                byMoves++;
                            }
                        });
    }
}
