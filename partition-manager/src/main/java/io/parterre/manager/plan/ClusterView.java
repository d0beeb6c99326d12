package io.parterre.manager.plan;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.DisruptionLease;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the leading manager knows at one moment: the map, the latest reports and when they came.
 * Holds the maps it is given, which must not change while it is in use; for one thread.
 */
public final class ClusterView {
    /** A node's latest report and when it came. */
    public record Heard(NodeReport report, Instant at) {}

    private final ClusterMap map;
    private final Map<NodeId, Heard> heard;
    private final Map<RangeId, NodeId> leaders;
    private final Instant leadSince;
    private final Instant now;
    private final Policy policy;
    private final Optional<NodeId> onLeave;
    private final Map<NodeId, Liveness> judged = new HashMap<>();

    /**
     * A view.
     *
     * @param heard by node; only what came while this manager leads
     * @param leaders who claimed last to lead a range
     */
    public ClusterView(
            ClusterMap map,
            Map<NodeId, Heard> heard,
            Map<RangeId, NodeId> leaders,
            Instant leadSince,
            Instant now,
            Policy policy) {
        this.map = map;
        this.heard = heard;
        this.leaders = leaders;
        this.leadSince = leadSince;
        this.now = now;
        this.policy = policy;
        this.onLeave =
                map.disruptionLease()
                        .filter(lease -> lease.holdsAt(now))
                        .map(DisruptionLease::nodeId);
    }

    public ClusterMap map() {
        return map;
    }

    public Instant now() {
        return now;
    }

    public Policy policy() {
        return policy;
    }

    /** The node that may be down for a while. */
    public Optional<NodeId> onLeave() {
        return onLeave;
    }

    public Liveness liveness(NodeId nodeId) {
        return judged.computeIfAbsent(nodeId, this::judge);
    }

    private Liveness judge(NodeId nodeId) {
        Liveness liveness = Liveness.of(lastHeard(nodeId), leadSince, now, policy);
        // It said that it would be silent.
        return liveness == Liveness.DEAD && onLeave.filter(nodeId::equals).isPresent()
                ? Liveness.SUSPECT
                : liveness;
    }

    public Optional<Instant> lastHeard(NodeId nodeId) {
        return Optional.ofNullable(heard.get(nodeId)).map(Heard::at);
    }

    /** Since when the node has been silent, or nothing has been heard of it. */
    public Instant silentSince(NodeId nodeId) {
        return lastHeard(nodeId).orElse(leadSince);
    }

    /** The latest report of a node that is not dead. */
    public Optional<NodeReport> report(NodeId nodeId) {
        Heard latest = heard.get(nodeId);
        return latest == null || liveness(nodeId) == Liveness.DEAD
                ? Optional.empty()
                : Optional.of(latest.report());
    }

    /** The replica as its node reported it last. */
    public Optional<NodeReport.Replica> replica(NodeId nodeId, RangeId rangeId) {
        return report(nodeId).flatMap(report -> report.replica(rangeId));
    }

    /** How this member of the range, or the one that shall become one, is. */
    public Health health(RangeId rangeId, NodeId nodeId) {
        switch (liveness(nodeId)) {
            case DEAD:
                return Health.DEAD;
            case SUSPECT:
                return Health.SILENT;
            case UP:
                break;
        }
        Optional<NodeReport.Replica> replica = replica(nodeId, rangeId);
        if (replica.isEmpty()) {
            return map.isConfirmed(rangeId) ? Health.LOST : Health.CATCHING_UP;
        }
        return replica.get().joining() ? Health.CATCHING_UP : Health.HEALTHY;
    }

    /** How many of the range's members are healthy. */
    public int healthy(RangeDescriptor range) {
        int count = 0;
        for (NodeId member : range.members()) {
            if (health(range.rangeId(), member) == Health.HEALTHY) {
                count++;
            }
        }
        return count;
    }

    /** Who claimed last to lead the range, even if it does no more. */
    public Optional<NodeId> lastLeader(RangeId rangeId) {
        return Optional.ofNullable(leaders.get(rangeId));
    }

    /** Who leads the range, by its own fresh word. */
    public Optional<NodeId> leader(RangeId rangeId) {
        NodeId claims = leaders.get(rangeId);
        if (claims == null || liveness(claims) != Liveness.UP) {
            return Optional.empty();
        }
        return replica(claims, rangeId).filter(NodeReport.Replica::leading).map(replica -> claims);
    }

    /** Whether new replicas and leads may come to the node now. */
    public boolean takesMore(NodeId nodeId) {
        return map.node(nodeId).filter(node -> node.state().takesMore()).isPresent()
                && liveness(nodeId) == Liveness.UP
                && onLeave.filter(nodeId::equals).isEmpty();
    }

    /** Where the node stands; a node that nobody knows stands nowhere in particular. */
    public String zone(NodeId nodeId) {
        return map.node(nodeId).map(ClusterNode::zone).orElse("");
    }

    /** Fewest members that decide for a range of so many. */
    public static int majority(int members) {
        return members / 2 + 1;
    }
}
