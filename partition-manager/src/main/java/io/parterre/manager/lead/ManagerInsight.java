package io.parterre.manager.lead;

import io.parterre.range.NodeId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What the leader knows of the managers beside their set.
 *
 * @param step what is waited for; empty: the group is as it shall be
 * @param silences since each of the other members answered last
 */
public record ManagerInsight(Optional<String> step, Map<NodeId, Duration> silences) {
    public ManagerInsight {
        silences = Map.copyOf(silences);
    }
}
