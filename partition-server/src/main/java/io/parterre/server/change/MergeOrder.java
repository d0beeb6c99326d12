package io.parterre.server.change;

import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.Optional;
import java.util.Set;

/**
 * A merge as ordered. What is left to do follows from both ranges and their Raft groups, so that
 * the order may repeat and another leader may continue.
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

    /** What to do about the order, or the reason why nothing is done. */
    public enum Verdict {
        /** Freeze the right range, if it is not frozen, and have the left range absorb it. */
        MERGE,
        /** The left range has absorbed the right one. */
        DONE,
        /** The merge was given up: thaw the right range. */
        THAW,
        /** One of the two ranges is past the order's generation, or not there yet. */
        OTHER_GENERATION,
        /**
         * Group and descriptor of a range differ or are changing, or the ranges have different
         * members.
         */
        MEMBERS_CHANGING,
        /** The right range does not begin where the left range ends. */
        NOT_NEIGHBOURS,
        /** This node does not lead the right range. */
        NOT_LEADING,
        /** A member has not applied the required entries in time. */
        MEMBER_BEHIND,
        /** One of the logs has not taken a command in time, or the command had no effect. */
        NOT_JOINED;

        /** Whether the manager has to hear why the merge is not done. */
        public boolean isRefusal() {
            return this != MERGE && this != DONE && this != THAW;
        }
    }

    /**
     * One of the two ranges, as seen by the node that is to merge them.
     *
     * @param current members of the Raft group
     * @param previous members before the change that is under way; empty if there is none
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
     * Decides what to do, on the node that leads the left range.
     *
     * @param right empty if this node has no replica of the right range
     */
    public Verdict verdict(Side left, Optional<Side> right) {
        boolean leftMoved = left.descriptor().generation().compareTo(leftFrom) > 0;
        if (right.isEmpty()) {
            return leftMoved ? Verdict.DONE : Verdict.NOT_LEADING;
        }
        RangeDescriptor frozen = right.get().descriptor();
        if (!left.descriptor().generation().equals(leftFrom)) {
            // The left range has not absorbed the right one, or the right replica would not be
            // here.
            return isGivenUp(left.descriptor(), frozen) ? Verdict.THAW : Verdict.OTHER_GENERATION;
        }
        if (isGivenUp(left.descriptor(), frozen)) {
            // Frozen by an earlier order. That freeze must not serve this order, because it may be
            // thawed.
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

    /** Whether the right range is frozen by this order. */
    public boolean isFrozenForThis(RangeDescriptor right) {
        return right.frozenFor().equals(Optional.of(leftId))
                && right.frozenAt().equals(Optional.of(leftFrom))
                && right.generation().equals(rightFrom.next());
    }

    /** Whether the right range is frozen for a generation that the left range has passed. */
    private boolean isGivenUp(RangeDescriptor left, RangeDescriptor right) {
        return right.frozenFor().equals(Optional.of(leftId))
                && right.frozenAt().filter(at -> left.generation().compareTo(at) > 0).isPresent();
    }

    /** Returns the generation of the joined range, which is above those of both. */
    public Generation joined() {
        Generation frozen = rightFrom.next();
        return (leftFrom.compareTo(frozen) > 0 ? leftFrom : frozen).next();
    }
}
