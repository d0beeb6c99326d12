package io.parterre.manager.plan.view;

import io.parterre.disk.DiskSpace;
import io.parterre.key.KeyRange;
import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.Merge;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A node's report on itself, sent every second. Immutable. */
public final class NodeReport {
    private final ClusterNode node;
    private final Optional<ClusterId> clusterId;
    private final Map<RangeId, Replica> replicas;
    private final List<SplitRefusal> splitRefusals;
    private final List<MergeRefusal> mergeRefusals;
    private final List<Replica> leading;
    private final LeadershipSummary leadSummary;
    private final boolean diskStalled;
    private final DiskSpace diskSpace;
    private final boolean growthRefused;
    private final Optional<String> damage;
    private final boolean joining;
    private final boolean damaged;

    /**
     * Why a replica has to be rebuilt.
     *
     * @param serving whether it takes part in its group all the same, until its next start
     */
    public record Damage(String what, boolean serving) {}

    /**
     * How far a replica's log reaches, committed or not.
     *
     * @param appliedTerm term of the last applied entry
     * @param lastTerm term of the last entry
     * @param syncedIndex entries up to here are applied and on the node's disk; 0 if not reported
     */
    public record LogEnd(long appliedTerm, long lastTerm, long lastIndex, long syncedIndex)
            implements Comparable<LogEnd> {
        /** Compares as Raft compares logs: by the last term, then by length. */
        @Override
        public int compareTo(LogEnd other) {
            int terms = Long.compare(lastTerm, other.lastTerm);
            return terms != 0 ? terms : Long.compare(lastIndex, other.lastIndex);
        }
    }

    /**
     * How a replica's rows compare with those of the other members.
     *
     * @param differsAt log entry at which they differed from those of most members
     * @param undecidedAt of a leader: log entry at which members' rows differed and no majority
     *     agreed
     */
    public record Rows(OptionalLong differsAt, OptionalLong undecidedAt) {
        public static final Rows AS_ALL = new Rows(OptionalLong.empty(), OptionalLong.empty());
    }

    /**
     * A replica that the node holds.
     *
     * @param members the descriptor's members as of this replica's log; empty if not reported
     * @param followers of a leader: the other members, as the leader sees them
     * @param joining whether it was made empty and has not received the range's data yet
     * @param sizeBytes approximate size of its rows on disk; 0 if not known
     * @param damage why it has to be rebuilt; empty if it need not be
     * @param bounds of a leader: the range's bounds as of its log; empty if not reported
     * @param load of a leader: the range's load; empty if not reported
     * @param log how far its log reaches; empty if not reported
     * @param frozenFor of a leader: the left neighbour that is to absorb it; empty if it is not
     *     frozen, or not reported
     * @param rows result of the comparison with the other members
     */
    public record Replica(
            RangeId rangeId,
            Generation generation,
            boolean leading,
            long appliedIndex,
            long flushedIndex,
            List<NodeId> members,
            List<Follower> followers,
            boolean joining,
            long sizeBytes,
            Optional<Damage> damage,
            Optional<KeyRange> bounds,
            Optional<RangeLoad> load,
            Optional<LogEnd> log,
            Optional<RangeId> frozenFor,
            Rows rows) {
        public Replica {
            members = List.copyOf(members);
            followers = List.copyOf(followers);
        }

        /** Creates a healthy replica that does not report size, bounds, load and log. */
        public Replica(
                RangeId rangeId,
                Generation generation,
                boolean leading,
                long appliedIndex,
                long flushedIndex,
                List<NodeId> members,
                List<Follower> followers,
                boolean joining) {
            this(
                    rangeId,
                    generation,
                    leading,
                    appliedIndex,
                    flushedIndex,
                    members,
                    followers,
                    joining,
                    0,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Rows.AS_ALL);
        }
    }

    /**
     * Another member as the leader sees it.
     *
     * @param matchIndex index up to which its log agrees with the leader's
     * @param silent time since its last answer
     * @param regressedFrom last entry that it had acknowledged when it turned out to lack some;
     *     empty if it lacks none of those
     * @param differsAt log entry at which its rows differed from those of most members
     */
    public record Follower(
            NodeId nodeId,
            long matchIndex,
            Duration silent,
            OptionalLong regressedFrom,
            OptionalLong differsAt) {
        /** Creates a follower that has all that it acknowledged and does not differ. */
        public Follower(NodeId nodeId, long matchIndex, Duration silent) {
            this(nodeId, matchIndex, silent, OptionalLong.empty(), OptionalLong.empty());
        }
    }

    /** Creates a report without refusals, of a node whose store is usable. */
    public NodeReport(
            ClusterNode node, Optional<ClusterId> clusterId, Collection<Replica> replicas) {
        this(
                node,
                clusterId,
                replicas,
                Optional.empty(),
                false,
                List.of(),
                List.of(),
                DiskSpace.UNKNOWN,
                false);
    }

    /**
     * A refusal of a split that was ordered.
     *
     * @param childId range that the split would have created
     * @param why text for people
     */
    public record SplitRefusal(RangeId childId, String why) {}

    /**
     * A refusal of a merge that was ordered.
     *
     * @param leftGeneration as ordered
     * @param why text for people
     */
    public record MergeRefusal(
            RangeId leftId, Generation leftGeneration, RangeId rightId, String why) {}

    /**
     * Creates a report.
     *
     * @param clusterId cluster whose data the node holds; empty if it holds none
     * @param replicas if a range is listed twice, the replica of the older generation counts
     * @param damage why the node cannot use its store and reports no replicas; empty if it can
     * @param diskStalled whether its disk does not answer, so that it must not lead and gets
     *     nothing new
     * @param splitRefusals of splits that were ordered with the last answer
     * @param mergeRefusals of merges that were ordered with the last answer
     * @param diskSpace of its data folder
     * @param growthRefused whether it answers writes that need more space as busy, because its disk
     *     is nearly full
     */
    public NodeReport(
            ClusterNode node,
            Optional<ClusterId> clusterId,
            Collection<Replica> replicas,
            Optional<String> damage,
            boolean diskStalled,
            List<SplitRefusal> splitRefusals,
            List<MergeRefusal> mergeRefusals,
            DiskSpace diskSpace,
            boolean growthRefused) {
        this.growthRefused = growthRefused;
        this.diskSpace = diskSpace;
        this.mergeRefusals = List.copyOf(mergeRefusals);
        this.diskStalled = diskStalled;
        this.node = node;
        this.clusterId = clusterId;
        this.damage = damage;
        this.splitRefusals = List.copyOf(splitRefusals);
        Map<RangeId, Replica> byRange = new HashMap<>(replicas.size() * 2);
        for (Replica replica : replicas) {
            byRange.merge(replica.rangeId(), replica, NodeReport::older);
        }
        this.replicas = byRange;
        this.leading = byRange.values().stream().filter(Replica::leading).toList();
        this.leadSummary = LeadershipSummary.of(leading);
        this.damaged =
                damage.isPresent()
                        || byRange.values().stream()
                                .anyMatch(replica -> replica.damage().isPresent());
        this.joining = byRange.values().stream().anyMatch(Replica::joining);
    }

    private static Replica older(Replica one, Replica other) {
        return one.generation().compareTo(other.generation()) < 0 ? one : other;
    }

    public ClusterNode node() {
        return node;
    }

    /** Returns whether the node reports that its disk does not answer. */
    public boolean diskStalled() {
        return diskStalled;
    }

    /** Returns whether the node reports that it answers writes that need more space as busy. */
    public boolean growthRefused() {
        return growthRefused;
    }

    /** Returns the reported use of the disk of the node's data folder. */
    public DiskSpace diskSpace() {
        return diskSpace;
    }

    public Optional<ClusterId> clusterId() {
        return clusterId;
    }

    /** Returns why the node cannot use its store; empty if it can. */
    public Optional<String> damage() {
        return damage;
    }

    /** Returns all replicas, in no order. */
    public Collection<Replica> replicas() {
        return replicas.values();
    }

    /** Returns the replicas that lead, in no order. */
    public List<Replica> leading() {
        return leading;
    }

    /** Returns the summary of the replicas that lead. */
    LeadershipSummary leadSummary() {
        return leadSummary;
    }

    /** Returns the node's refusal to split off this range; empty if there is none. */
    public Optional<SplitRefusal> refusalOf(RangeId childId) {
        return splitRefusals.stream().filter(each -> each.childId().equals(childId)).findFirst();
    }

    /** Returns the node's refusal of exactly this merge; empty if there is none. */
    public Optional<MergeRefusal> refusalOf(Merge merge) {
        return mergeRefusals.stream()
                .filter(each -> each.leftId().equals(merge.leftId()))
                .filter(each -> each.rightId().equals(merge.rightId()))
                .filter(each -> each.leftGeneration().equals(merge.leftDecidedAt()))
                .findFirst();
    }

    /** Returns whether the node cannot use its store, or one of its replicas has to be rebuilt. */
    boolean isAnyDamaged() {
        return damaged;
    }

    /** Returns whether one of the replicas has not received the range's data yet. */
    boolean isAnyJoining() {
        return joining;
    }

    public Optional<Replica> replica(RangeId rangeId) {
        return Optional.ofNullable(replicas.get(rangeId));
    }
}
