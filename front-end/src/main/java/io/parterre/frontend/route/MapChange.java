package io.parterre.frontend.route;

import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.List;
import java.util.Map;

/**
 * A change of the ranges, as told by the partition manager.
 *
 * @param version version of the map after this change
 * @param whole whether the change replaces everything known before
 * @param leaders leaders of ranges as the manager last knew them
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
