package io.parterre.range;

import io.parterre.key.KeyRange;
import java.util.List;
import java.util.Optional;

/**
 * A range at one generation: its bounds and the nodes that hold its replicas. Immutable.
 *
 * @param members nodes of the replicas, in no particular order, none twice
 * @param frozenFor the left neighbour that is to absorb this range, which accepts and serves
 *     nothing meanwhile; empty: the range is not frozen
 * @param frozenAt the only generation at which that neighbour may absorb this range; once the
 *     neighbour has another generation, the range may be thawed
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

    /** Makes the descriptor of a range that is not frozen. */
    public RangeDescriptor(
            RangeId rangeId, KeyRange bounds, Generation generation, List<NodeId> members) {
        this(rangeId, bounds, generation, members, Optional.empty(), Optional.empty());
    }

    /** Returns the descriptor of the range frozen for a neighbour, one generation later. */
    public RangeDescriptor frozen(RangeId leftId, Generation leftAt) {
        return new RangeDescriptor(
                rangeId,
                bounds,
                generation.next(),
                members,
                Optional.of(leftId),
                Optional.of(leftAt));
    }

    /**
     * Returns whether the range accepts and serves nothing, because its left neighbour is to absorb
     * it.
     */
    public boolean isFrozen() {
        return frozenFor.isPresent();
    }
}
