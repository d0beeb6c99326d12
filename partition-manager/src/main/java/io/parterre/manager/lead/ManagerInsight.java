package io.parterre.manager.lead;

import io.parterre.range.NodeId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What the leader knows of the managers in addition to their set.
 *
 * @param step what the current change waits for; empty if no change is needed
 * @param silences time since each of the other members answered last
 */
public record ManagerInsight(Optional<String> step, Map<NodeId, Duration> silences) {
    public ManagerInsight {
        silences = Map.copyOf(silences);
    }
}
