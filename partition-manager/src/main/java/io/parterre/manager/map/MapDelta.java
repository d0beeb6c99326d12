package io.parterre.manager.map;

import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.List;
import java.util.Optional;

/**
 * One change of the map: enough to bring a copy of the previous version to this version. Immutable.
 *
 * @param version the map's version after the change
 * @param clusterId present in the change that created the cluster
 */
public record MapDelta(
        long version,
        Optional<ClusterId> clusterId,
        List<RangeDescriptor> ranges,
        List<RangeId> removedRanges,
        List<ClusterNode> nodes,
        List<ClusterAccount> accounts) {
    public MapDelta {
        ranges = List.copyOf(ranges);
        removedRanges = List.copyOf(removedRanges);
        nodes = List.copyOf(nodes);
        accounts = List.copyOf(accounts);
    }

    static MapDelta of(ClusterMap after, RangeDescriptor range) {
        return of(after, List.of(range), List.of(), List.of());
    }

    static MapDelta ofSplit(ClusterMap after, List<RangeDescriptor> parts) {
        return of(after, parts, List.of(), List.of());
    }

    static MapDelta ofReplaced(ClusterMap after, RangeId gone, RangeDescriptor range) {
        return new MapDelta(
                after.version(),
                Optional.empty(),
                List.of(range),
                List.of(gone),
                List.of(),
                List.of());
    }

    static MapDelta of(ClusterMap after, ClusterNode node) {
        return of(after, List.of(), List.of(node), List.of());
    }

    static MapDelta of(ClusterMap after, ClusterAccount account) {
        return of(after, List.of(), List.of(), List.of(account));
    }

    /**
     * Returns the change of managers or feature level, which every update to watchers contains
     * anyway.
     */
    static MapDelta ofAll(ClusterMap after) {
        return of(after, List.of(), List.of(), List.of());
    }

    private static MapDelta of(
            ClusterMap after,
            List<RangeDescriptor> ranges,
            List<ClusterNode> nodes,
            List<ClusterAccount> accounts) {
        return new MapDelta(after.version(), Optional.empty(), ranges, List.of(), nodes, accounts);
    }

    /** Returns the number of values in the change, at least 1, as a bound on memory. */
    public int size() {
        int named = ranges.size() + removedRanges.size() + nodes.size() + accounts.size();
        return Math.max(1, named);
    }
}
