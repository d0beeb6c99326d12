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
 * @param frozenAt generation at which that neighbour may absorb it, and at no other: once it has
 *     another one, the range may be thawed
 */
public record RangeDescriptor(
        RangeId rangeId,
        KeyRange bounds,
        Generation generation,
        List<NodeId> members,
        Optional<RangeId> frozenFor,
        Optional<Generation> frozenAt) {
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
        if (frozenAt.isPresent() && frozenFor.isEmpty()) {
            throw new IllegalArgumentException(
                    "frozenAt: " + frozenAt.get() + " (expected: none, for it is not frozen)");
        }
    }

    /** A range that is not frozen. */
    public RangeDescriptor(
            RangeId rangeId, KeyRange bounds, Generation generation, List<NodeId> members) {
        this(rangeId, bounds, generation, members, Optional.empty(), Optional.empty());
    }

    /** The range frozen for a neighbour, one generation later. */
    public RangeDescriptor frozen(RangeId leftId, Generation leftAt) {
        return new RangeDescriptor(
                rangeId,
                bounds,
                generation.next(),
                members,
                Optional.of(leftId),
                Optional.of(leftAt));
    }

    /** Whether it takes and serves nothing, because its left neighbour is to absorb it. */
    public boolean isFrozen() {
        return frozenFor.isPresent();
    }
}
