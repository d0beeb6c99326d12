package io.parterre.range;

import io.parterre.key.KeyRange;
import java.util.List;

/**
 * What a range is at one generation: its bounds and the nodes that hold its replicas.
 *
 * @param members nodes of the replicas, in no order that matters, none twice
 */
public record RangeDescriptor(
        RangeId rangeId, KeyRange bounds, Generation generation, List<NodeId> members) {
    public RangeDescriptor {
        members = List.copyOf(members);
        if (members.isEmpty() || members.stream().distinct().count() != members.size()) {
            throw new IllegalArgumentException(
                    "members: " + members + " (expected: at least one, none twice)");
        }
    }
}
