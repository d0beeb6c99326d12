package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterNode;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a node says of itself, every second.
 *
 * @param clusterId whose data it holds; empty if it holds none
 */
public record NodeReport(ClusterNode node, Optional<ClusterId> clusterId, List<Replica> replicas) {
    /** A replica that the node holds. */
    public record Replica(
            RangeId rangeId,
            Generation generation,
            boolean leading,
            long appliedIndex,
            long flushedIndex) {}

    public NodeReport {
        replicas = List.copyOf(replicas);
    }

    /** Generations by range; of a range that is named twice, the older one. */
    Map<RangeId, Generation> generations() {
        return replicas.stream()
                .collect(
                        Collectors.toMap(
                                Replica::rangeId,
                                Replica::generation,
                                (one, other) -> one.compareTo(other) < 0 ? one : other));
    }
}
