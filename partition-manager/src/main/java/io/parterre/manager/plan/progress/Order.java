package io.parterre.manager.plan.progress;

import io.parterre.key.Key;
import io.parterre.manager.map.ClusterNode;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.List;
import java.util.Optional;

/** Something a node has to bring about; repeated until its report shows it. */
public sealed interface Order {
    /** The range that it is about; empty: the node's whole store. */
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

    /** One answer for each kind of order. */
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
     * Take the replica out of its group and keep it as damaged, until it is rebuilt.
     *
     * @param generation a replica of a later one was rebuilt since, and stays
     * @param acknowledgedIndex last entry that it had acknowledged when it lacked some; 0: it is
     *     for its rows
     * @param differsAt entry at which its rows were others than those of most members; 0: it is for
     *     its log
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
     * Found this range: make a new and empty replica that votes at once.
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
     * Keep a replica that has no say until the leader has brought it the data.
     *
     * @param range as it is without the one that joins
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
     * To the leader: make these the members.
     *
     * @param generation of the descriptor that it changes
     * @param nodes of all members as they shall be
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

    /** To the leader: have this member lead. */
    record TransferLead(RangeId rangeId, Generation generation, NodeId to) implements OfRange {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.transfer(this);
        }
    }

    /**
     * Give up the replica and what it holds.
     *
     * @param generation at which the node is no member; a replica of a later one stays
     */
    record RemoveReplica(RangeId rangeId, Generation generation) implements OfRange {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.remove(this);
        }
    }

    /**
     * To the leader: split the range in two, or more.
     *
     * @param splitPoint first key of the only child; empty: the leader chooses
     * @param childIds in the order of their keys
     * @param childLeader member that is to lead the child; empty: the leader of the range
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
     * To the leader of both: make these neighbours one range.
     *
     * @param rightGeneration of the descriptor that is frozen; at the next one it may be frozen for
     *     this already
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
     * To the leader: let a range that is frozen for nothing take requests again.
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
     * To a node that cannot use its store: give up all it holds.
     *
     * @param incarnation of the data folder that may be given up
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
     * To the survivor of a range that lost its majority: let it go on alone as another range.
     *
     * @param lostId the range that the node holds a replica of
     * @param range the one that takes its place
     * @param nodes the nodes of its members, which is this one
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
