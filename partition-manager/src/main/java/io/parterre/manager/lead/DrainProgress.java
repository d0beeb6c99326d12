package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.range.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * How fast nodes that drain get empty, since this manager began to look. Owned by the loop's
 * thread.
 */
final class DrainProgress {
    private record Start(Instant at, int replicas) {}

    private final Map<NodeId, Start> draining = new HashMap<>();

    void look(ClusterMap map, Instant now) {
        for (ClusterNode node : map.nodes()) {
            NodeId nodeId = node.nodeId();
            int replicas = map.ranges().onNode(nodeId).size();
            if (!node.state().givesReplicas() || replicas == 0) {
                draining.remove(nodeId);
            } else if (!draining.containsKey(nodeId)
                    || draining.get(nodeId).replicas() < replicas) {
                draining.put(nodeId, new Start(now, replicas));
            }
        }
    }

    /** Seconds until the node is empty, at the speed so far; empty while none has gone. */
    OptionalLong secondsToGo(NodeId nodeId, int replicas, Instant now) {
        Start start = draining.get(nodeId);
        if (start == null || start.replicas() <= replicas) {
            return OptionalLong.empty();
        }
        long millis = Duration.between(start.at(), now).toMillis();
        return OptionalLong.of(
                Math.max(1, millis * replicas / (start.replicas() - replicas) / 1_000));
    }

    void clear() {
        draining.clear();
    }
}
