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

/** What the planner wants, or wants not, and why. */
public sealed interface Decision {
    /** The range it is about; empty: the cluster. */
    Optional<RangeId> about();

    Reason why();

    <R> R match(Cases<R> cases);

    /** One answer for each kind of decision. */
    interface Cases<R> {
        R change(ChangeMembers change);

        R transfer(TransferLead transfer);

        R split(Split split);

        R merge(Merge merge);

        R leave(Leave leave);
    }

    /** About one range, which it names. */
    sealed interface OfRange extends Decision {
        RangeId rangeId();

        @Override
        default Optional<RangeId> about() {
            return Optional.of(rangeId());
        }
    }

    /** Whether it is about this range, among others. */
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

    /** Have another member lead. */
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

    /** Make one range of two neighbours. */
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

    /** Something would have to be done, and is not. */
    record Leave(Optional<RangeId> about, Cause cause, Reason why) implements Decision {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.leave(this);
        }
    }

    /** Why something is left. */
    enum Cause {
        /** Too few members are healthy: the range cannot even change its members. */
        NO_MAJORITY,
        /** No node may take the replica, or leadership. */
        NO_NODE,
        /** The nodes that could hold as many replicas as a node may. */
        NODES_FULL,
        /** As many moves as allowed are under way already. */
        TOO_MANY_MOVES,
        /** Something more pressing is under way. */
        NOT_SETTLED,
        /** Nodes differ by less than is worth a move. */
        BALANCED,
        /** Most of what is asked of it falls on one partition, which no split point can divide. */
        ONE_PARTITION,
        /** More is asked of them, or they hold more, than would be quiet. */
        NOT_QUIET,
        /** No place is known where a split point would divide what is asked of it. */
        NO_SPLIT_POINT,
        /** They differ, and no move would make it better. */
        NO_BETTER_PLACE
    }
}
