package io.parterre.manager.plan.decide;

import io.parterre.key.Key;
import io.parterre.manager.map.MergeReason;
import io.parterre.manager.map.MoveReason;
import io.parterre.manager.map.SplitReason;
import io.parterre.manager.reason.Reason;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.Optional;

/** A decision of the planner, or a decision to do nothing, with the reason. */
public sealed interface Decision {
    /** Returns the range that the decision is about; empty if it is about the cluster. */
    Optional<RangeId> about();

    Reason why();

    <R> R match(Cases<R> cases);

    /** One result for each kind of decision. */
    interface Cases<R> {
        R change(ChangeMembers change);

        R transfer(TransferLead transfer);

        R split(Split split);

        R merge(Merge merge);

        R leave(Leave leave);
    }

    /** A decision about one range, which it names. */
    sealed interface OfRange extends Decision {
        RangeId rangeId();

        @Override
        default Optional<RangeId> about() {
            return Optional.of(rangeId());
        }
    }

    /** Returns whether the decision affects this range, possibly among others. */
    default boolean concerns(RangeId rangeId) {
        return about().equals(Optional.of(rangeId));
    }

    /** Change the range's members. */
    record ChangeMembers(
            RangeId rangeId,
            Generation decidedAt,
            Optional<NodeId> add,
            Optional<NodeId> remove,
            MoveReason reason,
            Reason why)
            implements OfRange {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.change(this);
        }
    }

    /** Transfer leadership to another member. */
    record TransferLead(RangeId rangeId, NodeId from, NodeId to, Reason why) implements OfRange {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.transfer(this);
        }
    }

    /**
     * Split the range.
     *
     * @param parts ranges that take its place; 2 if the split point is known
     */
    record Split(
            RangeId rangeId,
            Generation decidedAt,
            Optional<Key> splitPoint,
            Optional<NodeId> childLeader,
            SplitReason reason,
            int parts,
            Reason why)
            implements OfRange {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.split(this);
        }
    }

    /** Merge two neighbouring ranges. */
    record Merge(
            RangeId leftId,
            Generation leftDecidedAt,
            RangeId rightId,
            Generation rightDecidedAt,
            MergeReason reason,
            Reason why)
            implements Decision {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.merge(this);
        }

        @Override
        public Optional<RangeId> about() {
            return Optional.of(leftId);
        }

        @Override
        public boolean concerns(RangeId rangeId) {
            return leftId.equals(rangeId) || rightId.equals(rangeId);
        }
    }

    /** Something is needed, but cannot be done now. */
    record Leave(Optional<RangeId> about, Cause cause, Reason why) implements Decision {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.leave(this);
        }
    }

    /** Why nothing is done. */
    enum Cause {
        /** Too few members are healthy, so the range cannot even change its members. */
        NO_MAJORITY,
        /** No node may take the replica, or leadership. */
        NO_NODE,
        /** The eligible nodes hold as many replicas as a node may. */
        NODES_FULL,
        /** The allowed number of moves is in progress already. */
        TOO_MANY_MOVES,
        /** Something more urgent is in progress. */
        NOT_SETTLED,
        /** Nodes differ by too little for a move. */
        BALANCED,
        /** Most of the load falls on one partition, which no split point can divide. */
        ONE_PARTITION,
        /** The ranges' load or size is above what counts as quiet. */
        NOT_QUIET,
        /** No split point is known that would divide the load. */
        NO_SPLIT_POINT,
        /** Nodes differ, and no move would improve the balance. */
        NO_BETTER_PLACE
    }
}
