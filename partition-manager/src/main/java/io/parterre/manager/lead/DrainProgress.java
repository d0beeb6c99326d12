package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Leftover;
import io.parterre.range.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The pace of draining nodes, measured since this manager first saw them drain. Confined to the
 * loop's thread.
 */
final class DrainProgress {
    private record Start(Instant at, Leftover held) {}

    private final Map<NodeId, Start> draining = new HashMap<>();

    void look(ClusterView view) {
        for (ClusterNode node : view.map().nodes()) {
            NodeId nodeId = node.nodeId();
            if (!node.state().givesReplicas()) {
                draining.remove(nodeId);
                continue;
            }
            Leftover held = Leftover.of(view, nodeId);
            Start start = draining.get(nodeId);
            if (held.replicas() == 0) {
                draining.remove(nodeId);
            } else if (start == null || start.held().replicas() < held.replicas()) {
                draining.put(nodeId, new Start(view.now(), held));
            }
        }
    }

    /** Returns the pace of the node's drain; empty while no replica is gone. */
    Optional<DrainPace> pace(NodeId nodeId, Leftover left, Instant now) {
        Start start = draining.get(nodeId);
        if (start == null) {
            return Optional.empty();
        }
        return DrainPace.of(start.held(), left, Duration.between(start.at(), now));
    }

    void clear() {
        draining.clear();
    }
}
