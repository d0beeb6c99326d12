package io.parterre.manager.plan;

import io.parterre.key.KeyRange;
import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterNode;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a node says of itself, every second. Immutable; safe for any thread. */
public final class NodeReport {
    private final ClusterNode node;
    private final Optional<ClusterId> clusterId;
    private final Map<RangeId, Replica> replicas;
    private final List<Refusal> refusals;
    private final List<Replica> leading;
    private final boolean joining;

    /**
     * A replica that the node holds.
     *
     * @param members the descriptor's members as this replica's log has them; empty: not told
     * @param followers of a leader: the other members, as it sees them
     * @param joining whether it was made empty and has not got the range's data yet
     * @param bounds of a leader: the keys that its log gives it; empty: not told
     * @param load of a leader: what is asked of the range; empty: not told
     * @param sizeBytes of its rows on disk, about; 0: not known
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
            Optional<KeyRange> bounds,
            Optional<RangeLoad> load,
            long sizeBytes) {
        public Replica {
            members = List.copyOf(members);
            followers = List.copyOf(followers);
        }

        /** A replica that tells nothing of its bounds. */
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
                    Optional.empty(),
                    Optional.empty(),
                    0);
        }
    }

    /**
     * Another member as the leader sees it.
     *
     * @param matchIndex up to which entry its log agrees with the leader's
     * @param silent since its last answer
     */
    public record Follower(NodeId nodeId, long matchIndex, Duration silent) {}

    /**
     * A cut that was ordered and will not be done.
     *
     * @param childId of the range that would have come of it
     * @param why words for people
     */
    public record Refusal(RangeId childId, String why) {}

    /** A report that refuses nothing. */
    public NodeReport(
            ClusterNode node, Optional<ClusterId> clusterId, Collection<Replica> replicas) {
        this(node, clusterId, replicas, List.of());
    }

    /**
     * A report.
     *
     * @param clusterId whose data it holds; empty if it holds none
     * @param replicas of a range that is named twice, the one of the older generation counts
     */
    public NodeReport(
            ClusterNode node,
            Optional<ClusterId> clusterId,
            Collection<Replica> replicas,
            List<Refusal> refusals) {
        this.node = node;
        this.clusterId = clusterId;
        this.refusals = List.copyOf(refusals);
        Map<RangeId, Replica> byRange = new HashMap<>(replicas.size() * 2);
        for (Replica replica : replicas) {
            byRange.merge(replica.rangeId(), replica, NodeReport::older);
        }
        this.replicas = byRange;
        this.leading = byRange.values().stream().filter(Replica::leading).toList();
        this.joining = byRange.values().stream().anyMatch(Replica::joining);
    }

    private static Replica older(Replica one, Replica other) {
        return one.generation().compareTo(other.generation()) < 0 ? one : other;
    }

    public ClusterNode node() {
        return node;
    }

    public Optional<ClusterId> clusterId() {
        return clusterId;
    }

    /** All replicas, in no order. */
    public Collection<Replica> replicas() {
        return replicas.values();
    }

    /** Replicas that lead, in no order. */
    List<Replica> leading() {
        return leading;
    }

    /** Whether the node has refused to cut off this range. */
    public Optional<Refusal> refusalOf(RangeId childId) {
        return refusals.stream().filter(each -> each.childId().equals(childId)).findFirst();
    }

    /** Whether one of its replicas has not got the range's data yet. */
    boolean isAnyJoining() {
        return joining;
    }

    public Optional<Replica> replica(RangeId rangeId) {
        return Optional.ofNullable(replicas.get(rangeId));
    }
}
