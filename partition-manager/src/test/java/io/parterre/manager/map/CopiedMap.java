package io.parterre.manager.map;

import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A map as a watcher keeps it, from deltas alone. */
final class CopiedMap {
    long version;
    Optional<ClusterId> clusterId = Optional.empty();
    final Map<RangeId, RangeDescriptor> ranges = new HashMap<>();
    final Map<NodeId, ClusterNode> nodes = new HashMap<>();
    final Map<AccountName, ClusterAccount> accounts = new HashMap<>();

    void take(MapDelta delta) {
        version = delta.version();
        clusterId = delta.clusterId().or(() -> clusterId);
        delta.removedRanges().forEach(ranges::remove);
        delta.ranges().forEach(range -> ranges.put(range.rangeId(), range));
        delta.nodes().forEach(node -> nodes.put(node.nodeId(), node));
        delta.accounts().forEach(account -> accounts.put(account.name(), account));
    }
}
