package io.parterre.manager.plan.progress;

import io.parterre.key.Key;
import io.parterre.manager.map.ClusterNode;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.List;
import java.util.Optional;

/**
 * Something that a node has to bring about. An order is repeated until the node's report shows its
 * effect, so it is idempotent.
 */
public sealed interface Order {
    /** Returns the range that the order is about; empty if it is about the node's whole store. */
    Optional<RangeId> about();

    /** An order about one range, which it names. */
    sealed interface OfRange extends Order {
        RangeId rangeId();

        @Override
        default Optional<RangeId> about() {
            return Optional.of(rangeId());
        }
    }

    <R> R match(Cases<R> cases);

    /** One result for each kind of order. */
    interface Cases<R> {
        R host(HostReplica host);

        R join(JoinReplica join);

        R change(ChangeMembers change);

        R transfer(TransferLead transfer);

        R remove(RemoveReplica remove);

        R split(SplitRange split);

        R merge(MergeRanges merge);

        R thaw(ThawRange thaw);

        R rebuildStore(RebuildStore rebuildStore);

        R recover(RecoverRange recover);

        R quarantine(QuarantineReplica quarantine);
    }

    /**
     * Remove the replica from its group and keep it as damaged until it is rebuilt.
     *
     * @param generation a replica of a later generation was rebuilt since, and stays
     * @param acknowledgedIndex last entry that the replica had acknowledged when it lacked some; 0
     *     if the reason is its rows
     * @param differsAt entry at which its rows differed from those of most members; 0 if the reason
     *     is its log
     */
    record QuarantineReplica(
            RangeId rangeId, Generation generation, long acknowledgedIndex, long differsAt)
            implements OfRange {
        static QuarantineReplica regressed(RangeDescriptor range, long acknowledgedIndex) {
            return new QuarantineReplica(range.rangeId(), range.generation(), acknowledgedIndex, 0);
        }

        static QuarantineReplica differing(RangeDescriptor range, long differsAt) {
            return new QuarantineReplica(range.rangeId(), range.generation(), 0, differsAt);
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.quarantine(this);
        }
    }

    /**
     * Make a new and empty replica of a new range, which votes at once.
     *
     * @param nodes the nodes of its members
     */
    record HostReplica(RangeDescriptor range, List<ClusterNode> nodes) implements Order {
        public HostReplica {
            nodes = List.copyOf(nodes);
        }

        @Override
        public Optional<RangeId> about() {
            return Optional.of(range.rangeId());
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.host(this);
        }
    }

    /**
     * Keep a replica without a vote until the leader has sent it the data.
     *
     * @param range the range without the replica that joins
     * @param nodes the nodes of its members
     */
    record JoinReplica(RangeDescriptor range, List<ClusterNode> nodes) implements Order {
        public JoinReplica {
            nodes = List.copyOf(nodes);
        }

        @Override
        public Optional<RangeId> about() {
            return Optional.of(range.rangeId());
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.join(this);
        }
    }

    /**
     * To the leader: change the members to these.
     *
     * @param generation of the descriptor that is changed
     * @param nodes of all new members
     */
    record ChangeMembers(RangeId rangeId, Generation generation, List<ClusterNode> nodes)
            implements OfRange {
        public ChangeMembers {
            nodes = List.copyOf(nodes);
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.change(this);
        }
    }

    /** To the leader: transfer leadership to this member. */
    record TransferLead(RangeId rangeId, Generation generation, NodeId to) implements OfRange {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.transfer(this);
        }
    }

    /**
     * Delete the replica and its data.
     *
     * @param generation at which the node is no member; a replica of a later generation stays
     */
    record RemoveReplica(RangeId rangeId, Generation generation) implements OfRange {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.remove(this);
        }
    }

    /**
     * To the leader: split the range in two or more.
     *
     * @param splitPoint first key of the only child; empty if the leader chooses
     * @param childIds in the order of their keys
     * @param childLeader member that is to lead the child; empty for the range's leader
     */
    record SplitRange(
            RangeId rangeId,
            Generation generation,
            Optional<Key> splitPoint,
            List<RangeId> childIds,
            Optional<NodeId> childLeader)
            implements OfRange {
        public SplitRange {
            childIds = List.copyOf(childIds);
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.split(this);
        }
    }

    /**
     * To the leader of both ranges: merge these neighbours.
     *
     * @param rightGeneration of the descriptor that is frozen; at the next generation the range may
     *     already be frozen for this merge
     */
    record MergeRanges(
            RangeId leftId, Generation leftGeneration, RangeId rightId, Generation rightGeneration)
            implements Order {
        @Override
        public Optional<RangeId> about() {
            return Optional.of(leftId);
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.merge(this);
        }
    }

    /**
     * To the leader: thaw a range that is frozen although no merge needs it.
     *
     * @param generation of the frozen descriptor
     */
    record ThawRange(RangeId rangeId, Generation generation) implements OfRange {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.thaw(this);
        }
    }

    /**
     * To a node that cannot use its store: discard all its data.
     *
     * @param incarnation of the data folder that may be discarded
     */
    record RebuildStore(String incarnation) implements Order {
        @Override
        public Optional<RangeId> about() {
            return Optional.empty();
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.rebuildStore(this);
        }
    }

    /**
     * To the survivor of a range that lost its majority: go on alone as another range.
     *
     * @param lostId the range of which the node holds a replica
     * @param range the range that takes its place
     * @param nodes the nodes of its members: this node alone
     */
    record RecoverRange(RangeId lostId, RangeDescriptor range, List<ClusterNode> nodes)
            implements Order {
        public RecoverRange {
            nodes = List.copyOf(nodes);
        }

        @Override
        public Optional<RangeId> about() {
            return Optional.of(lostId);
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.recover(this);
        }
    }
}
