package io.parterre.server.change;

import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.Optional;
import java.util.Set;

/**
 * A merge as ordered. What is to be done about it follows from where both ranges and their Raft
 * groups stand, so that the order may come again and another leader may go on.
 *
 * @param leftFrom generation of the descriptor that is widened
 * @param rightFrom generation of the descriptor that is frozen
 */
public record MergeOrder(
        RangeId leftId, Generation leftFrom, RangeId rightId, Generation rightFrom) {
    public MergeOrder {
        if (leftId.equals(rightId)) {
            throw new IllegalArgumentException("rightId: " + rightId + " (expected: another)");
        }
    }

    /** What is to be done, or why nothing is. */
    public enum Verdict {
        /** Freeze the right one, if it is not, and have the left one absorb it. */
        MERGE,
        /** The left one has it. */
        DONE,
        /** It was given up: the right one is to be thawed. */
        THAW,
        /** One of the two has moved on, or has not come that far. */
        OTHER_GENERATION,
        /** Group and descriptor differ, or will; or the two have not the same members. */
        MEMBERS_CHANGING,
        /** The right one does not begin where the left one ends. */
        NOT_NEIGHBOURS,
        /** This node does not lead the right one. */
        NOT_LEADING,
        /** A member has not applied what it has to in time. */
        MEMBER_BEHIND,
        /** One of the logs has not taken what it had to in time. */
        NOT_JOINED;

        /** Whether the manager has to hear why it is not done. */
        public boolean isRefusal() {
            return this != MERGE && this != DONE && this != THAW;
        }
    }

    /**
     * A range as the node that is to merge it sees it.
     *
     * @param current members of the Raft group
     * @param previous members it had before, while it changes; else empty
     */
    public record Side(
            RangeDescriptor descriptor,
            boolean leading,
            Set<NodeId> current,
            Set<NodeId> previous) {
        public Side {
            current = Set.copyOf(current);
            previous = Set.copyOf(previous);
        }

        private Set<NodeId> members() {
            return Set.copyOf(descriptor.members());
        }

        private boolean isAtRest() {
            return previous.isEmpty() && current.equals(members());
        }
    }

    /**
     * What is to be done, on the node that leads the left one.
     *
     * @param right empty: this node has no replica of it
     */
    public Verdict verdict(Side left, Optional<Side> right) {
        boolean leftMoved = left.descriptor().generation().compareTo(leftFrom) > 0;
        if (right.isEmpty()) {
            return leftMoved ? Verdict.DONE : Verdict.NOT_LEADING;
        }
        RangeDescriptor frozen = right.get().descriptor();
        if (!left.descriptor().generation().equals(leftFrom)) {
            // It does not have the right one's keys, or that would not be here.
            return isGivenUp(left.descriptor(), frozen) ? Verdict.THAW : Verdict.OTHER_GENERATION;
        }
        if (isGivenUp(left.descriptor(), frozen)) {
            // By an order before this one: it must not serve for this, since it may be thawed.
            return Verdict.THAW;
        }
        boolean untouched = !frozen.isFrozen() && frozen.generation().equals(rightFrom);
        if (!untouched && !isFrozenForThis(frozen)) {
            return Verdict.OTHER_GENERATION;
        }
        if (!left.descriptor().bounds().endExclusive().equals(frozen.bounds().start())) {
            return Verdict.NOT_NEIGHBOURS;
        }
        boolean sameMembers = left.members().equals(right.get().members());
        if (!sameMembers || !left.isAtRest() || !right.get().isAtRest()) {
            return Verdict.MEMBERS_CHANGING;
        }
        return right.get().leading() ? Verdict.MERGE : Verdict.NOT_LEADING;
    }

    /** Whether it is frozen as by this order. */
    public boolean isFrozenForThis(RangeDescriptor right) {
        return right.frozenFor().equals(Optional.of(leftId))
                && right.frozenAt().equals(Optional.of(leftFrom))
                && right.generation().equals(rightFrom.next());
    }

    /** Whether it is frozen for a generation that the left one has left behind. */
    private boolean isGivenUp(RangeDescriptor left, RangeDescriptor right) {
        return right.frozenFor().equals(Optional.of(leftId))
                && right.frozenAt().filter(at -> left.generation().compareTo(at) > 0).isPresent();
    }

    /** Of the joined range: above those of both. */
    public Generation joined() {
        Generation frozen = rightFrom.next();
        return (leftFrom.compareTo(frozen) > 0 ? leftFrom : frozen).next();
    }
}
