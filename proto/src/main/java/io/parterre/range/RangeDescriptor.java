package io.parterre.range;

import io.parterre.key.KeyRange;
import java.util.List;
import java.util.Optional;

/**
 * What a range is at one generation: its bounds and the nodes that hold its replicas.
 *
 * @param members nodes of the replicas, in no order that matters, none twice
 * @param frozenFor the left neighbour that is to absorb it, while it takes and serves nothing for
 *     that; empty: it is not frozen
 */
public record RangeDescriptor(
        RangeId rangeId,
        KeyRange bounds,
        Generation generation,
        List<NodeId> members,
        Optional<RangeId> frozenFor) {
    public RangeDescriptor {
        members = List.copyOf(members);
        if (members.isEmpty() || members.stream().distinct().count() != members.size()) {
            throw new IllegalArgumentException(
                    "members: " + members + " (expected: at least one, none twice)");
        }
        if (frozenFor.isPresent() && frozenFor.get().equals(rangeId)) {
            throw new IllegalArgumentException(
                    "frozenFor: " + rangeId + " (expected: another range)");
        }
    }

    /** A range that is not frozen. */
    public RangeDescriptor(
            RangeId rangeId, KeyRange bounds, Generation generation, List<NodeId> members) {
        this(rangeId, bounds, generation, members, Optional.empty());
    }

    /** Whether it takes and serves nothing, because its left neighbour is to absorb it. */
    public boolean isFrozen() {
        return frozenFor.isPresent();
    }
}
