package io.parterre.simulator;

import io.parterre.range.NodeId;
import java.util.Map;

/** How often a change of who leads what made a node bear more than it can. */
final class Overloads {
    private final SimState state;
    private Map<NodeId, Double> last = Map.of();
    private int changedBefore;

    /** Operations a second that a node bears. */
    double capacity = Double.MAX_VALUE;

    int byMoves;

    Overloads(SimState state) {
        this.state = state;
    }

    /** Before orders are carried out. */
    void before(int changed) {
        changedBefore = changed;
        if (capacity < Double.MAX_VALUE) {
            last = state.askedByNode();
        }
    }

    /** Afterwards, in the same second: what is asked of the cluster is the same. */
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
