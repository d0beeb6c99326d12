package io.parterre.frontend.route;

import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.List;
import java.util.Map;

/**
 * What the partition manager says of the ranges.
 *
 * @param version of the map after this change
 * @param whole whether it replaces everything known before
 * @param leaders who led when it was last heard of
 */
public record MapChange(
        long version,
        boolean whole,
        List<RangeDescriptor> ranges,
        List<RangeId> removed,
        Map<RangeId, NodeId> leaders) {
    public MapChange {
        ranges = List.copyOf(ranges);
        removed = List.copyOf(removed);
        leaders = Map.copyOf(leaders);
    }
}
