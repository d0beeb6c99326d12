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

/** What a node says of itself, every second. Immutable; safe for any thread. */
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
     * @param serving whether it takes part in its group all the same, until it is started again
     */
    public record Damage(String what, boolean serving) {}

    /**
     * How far a replica's log reaches, whether committed or not.
     *
     * @param appliedTerm of the last entry applied
     * @param lastTerm of the last entry
     * @param syncedIndex entries up to here are applied and on the node's disk; 0: not told
     */
    public record LogEnd(long appliedTerm, long lastTerm, long lastIndex, long syncedIndex)
            implements Comparable<LogEnd> {
        /** As Raft compares logs: the later term, then the longer one. */
        @Override
        public int compareTo(LogEnd other) {
            int terms = Long.compare(lastTerm, other.lastTerm);
            return terms != 0 ? terms : Long.compare(lastIndex, other.lastIndex);
        }
    }

    /**
     * How a replica's rows compare to those of the other members.
     *
     * @param differsAt log entry at which they were others than those of most members
     * @param undecidedAt of a leader: log entry at which members held different rows and no
     *     majority the same
     */
    public record Rows(OptionalLong differsAt, OptionalLong undecidedAt) {
        public static final Rows AS_ALL = new Rows(OptionalLong.empty(), OptionalLong.empty());
    }

    /**
     * A replica that the node holds.
     *
     * @param members the descriptor's members as this replica's log has them; empty: not told
     * @param followers of a leader: the other members, as it sees them
     * @param joining whether it was made empty and has not got the range's data yet
     * @param sizeBytes of its rows on disk, about; 0: not known
     * @param damage why it has to be rebuilt; empty: it has not
     * @param bounds of a leader: the keys that its log gives it; empty: not told
     * @param load of a leader: what is asked of the range; empty: not told
     * @param log how far its log reaches; empty: not told
     * @param frozenFor of a leader: the left neighbour that is to absorb it; empty: it is not
     *     frozen, or not told
     * @param rows what comparing it with the other members has found
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

        /** One that tells nothing of its size, bounds, load and log, and is well. */
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
     * @param matchIndex up to which entry its log agrees with the leader's
     * @param silent since its last answer
     * @param regressedFrom last entry that it had acknowledged when it turned out to lack some;
     *     empty: it lacks none of those
     * @param differsAt log entry at which its rows were others than those of most members
     */
    public record Follower(
            NodeId nodeId,
            long matchIndex,
            Duration silent,
            OptionalLong regressedFrom,
            OptionalLong differsAt) {
        /** One that has all that it acknowledged, and was not found to differ. */
        public Follower(NodeId nodeId, long matchIndex, Duration silent) {
            this(nodeId, matchIndex, silent, OptionalLong.empty(), OptionalLong.empty());
        }
    }

    /** A report that refuses nothing, of a node whose store is well. */
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
     * A split that was ordered and will not be done.
     *
     * @param childId of the range that would have come of it
     * @param why words for people
     */
    public record SplitRefusal(RangeId childId, String why) {}

    /**
     * A merge that was ordered and was not done.
     *
     * @param leftGeneration as ordered
     * @param why words for people
     */
    public record MergeRefusal(
            RangeId leftId, Generation leftGeneration, RangeId rightId, String why) {}

    /**
     * A report.
     *
     * @param clusterId whose data it holds; empty if it holds none
     * @param replicas of a range that is named twice, the one of the older generation counts
     * @param damage why it cannot use its store, and tells of no replicas; empty: it can
     * @param diskStalled whether it may lead no range and to get nothing new, since its disk does
     *     not answer
     * @param splitRefusals of split points that were ordered with the last answer
     * @param mergeRefusals the same of merges
     * @param diskSpace of its data folder
     * @param growthRefused whether it answers writes that take more room as busy, since its disk is
     *     nearly full
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

    /** Whether its disk does not answer, by its own word. */
    public boolean diskStalled() {
        return diskStalled;
    }

    /** Whether it answers writes that take more room as busy, by its own word. */
    public boolean growthRefused() {
        return growthRefused;
    }

    /** How full the disk of its data folder is, as it was told. */
    public DiskSpace diskSpace() {
        return diskSpace;
    }

    public Optional<ClusterId> clusterId() {
        return clusterId;
    }

    /** Why the node cannot use its store; empty: it can. */
    public Optional<String> damage() {
        return damage;
    }

    /** All replicas, in no order. */
    public Collection<Replica> replicas() {
        return replicas.values();
    }

    /** Replicas that lead, in no order. */
    public List<Replica> leading() {
        return leading;
    }

    /** What it tells of them, in a few numbers. */
    LeadershipSummary leadSummary() {
        return leadSummary;
    }

    /** Whether the node has refused to split off this range. */
    public Optional<SplitRefusal> refusalOf(RangeId childId) {
        return splitRefusals.stream().filter(each -> each.childId().equals(childId)).findFirst();
    }

    /** Whether the node has refused this very merge. */
    public Optional<MergeRefusal> refusalOf(Merge merge) {
        return mergeRefusals.stream()
                .filter(each -> each.leftId().equals(merge.leftId()))
                .filter(each -> each.rightId().equals(merge.rightId()))
                .filter(each -> each.leftGeneration().equals(merge.leftDecidedAt()))
                .findFirst();
    }

    /** Whether the node cannot use its store, or one of its replicas has to be rebuilt. */
    boolean isAnyDamaged() {
        return damaged;
    }

    /** Whether one of its replicas has not got the range's data yet. */
    boolean isAnyJoining() {
        return joining;
    }

    public Optional<Replica> replica(RangeId rangeId) {
        return Optional.ofNullable(replicas.get(rangeId));
    }
}
