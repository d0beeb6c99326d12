package io.parterre.manager.plan.view;

import io.parterre.disk.DiskLevel;
import io.parterre.disk.DiskSpace;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.DisruptionLease;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.policy.Demand;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * What the leading manager knows at one moment: the map, the latest reports and when they came.
 * Holds the maps it is given, which must not change while it is in use; for one thread.
 */
public final class ClusterView {
    /** Entries of the log that a member may lack and still be called level. */
    private static final long BEHIND_MAX = 100;

    private final ClusterMap map;
    private final Map<NodeId, LastReport> heard;
    private final Leaders leaders;
    private final Instant leadSince;
    private final Instant now;
    private final Policy policy;
    private final Map<RangeId, LoadPeak> peaks;
    private final Optional<NodeId> onLeave;
    private final Map<NodeId, NodeFacts> facts = new HashMap<>();
    private long lookups;

    /**
     * A view.
     *
     * @param heard by node; only what came while this manager leads
     * @param leaders who claimed last to lead a range
     * @param peaks the most that was asked of ranges lately
     */
    public ClusterView(
            ClusterMap map,
            Map<NodeId, LastReport> heard,
            Map<RangeId, NodeId> leaders,
            Instant leadSince,
            Instant now,
            Policy policy,
            Map<RangeId, LoadPeak> peaks) {
        this(map, heard, Leaders.of(leaders), leadSince, now, policy, peaks);
    }

    /** A view that need not look at each lead. */
    public ClusterView(
            ClusterMap map,
            Map<NodeId, LastReport> heard,
            Leaders leaders,
            Instant leadSince,
            Instant now,
            Policy policy,
            Map<RangeId, LoadPeak> peaks) {
        this.peaks = peaks;
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

    /** One that stays as this one is now, for another thread. */
    public ClusterView copy() {
        return new ClusterView(
                map,
                Map.copyOf(heard),
                Map.copyOf(leaders.byRange()),
                leadSince,
                now,
                policy,
                Map.copyOf(peaks));
    }

    /** The same cluster, looked at by another policy. */
    public ClusterView under(Policy other) {
        return new ClusterView(map, heard, leaders, leadSince, now, other, peaks);
    }

    public ClusterMap map() {
        return map;
    }

    public Map<NodeId, LastReport> heard() {
        return heard;
    }

    public Map<RangeId, LoadPeak> peaks() {
        return peaks;
    }

    public Map<RangeId, NodeId> leaders() {
        return leaders.byRange();
    }

    public Instant leadSince() {
        return leadSince;
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
        return facts(nodeId).liveness();
    }

    private NodeFacts facts(NodeId nodeId) {
        NodeFacts known = facts.get(nodeId);
        if (known == null) {
            known =
                    NodeFacts.of(
                            nodeId,
                            map,
                            lastWord(nodeId),
                            leaders.led(nodeId),
                            Liveness.of(lastHeard(nodeId), leadSince, now, policy),
                            onLeave.filter(nodeId::equals).isPresent());
            facts.put(nodeId, known);
        }
        return known;
    }

    /** Why the node may lead no range and to get nothing new; empty: nothing ails it. */
    public Optional<NodeFault> ailment(NodeId nodeId) {
        return facts(nodeId).ailment();
    }

    /** What ails it; of one that something does. */
    public Reason whyAiling(NodeId nodeId) {
        return switch (ailment(nodeId).orElseThrow()) {
            case DISK_STALLED -> ReasonCode.DISK_IS_STALLED.of();
            case CLOCK_AHEAD -> ReasonCode.CLOCK_IS_AHEAD.of(clockAhead(nodeId).toSeconds());
        };
    }

    /** How far the node's clock is ahead if that is too far; zero: it is not. */
    public Duration clockAhead(NodeId nodeId) {
        return facts(nodeId)
                .heard()
                .map(LastReport::clock)
                .filter(ClockVerdict::tooFar)
                .map(ClockVerdict::ahead)
                .orElse(Duration.ZERO);
    }

    /**
     * Whether the node's disk does not answer: as good as silent, but that it can give leaderships
     * away.
     */
    public boolean isDiskStalled(NodeId nodeId) {
        return report(nodeId).filter(NodeReport::diskStalled).isPresent();
    }

    /**
     * Whether so much of the node's disk is in use that it is to get nothing more, and to give some
     * of what it has to others. Not of one that is silent, which has worse troubles.
     */
    public boolean isDiskFull(NodeId nodeId) {
        return facts(nodeId).disk() != DiskLevel.OK;
    }

    /** How full its disk is. */
    public Reason diskUse(NodeId nodeId) {
        int used =
                report(nodeId).map(NodeReport::diskSpace).map(DiskSpace::usedPercentUp).orElse(0);
        return (facts(nodeId).disk() == DiskLevel.CRITICAL
                        ? ReasonCode.DISK_USED_AND_REFUSING
                        : ReasonCode.DISK_USED)
                .of(used);
    }

    /** Whether the node is to give replicas away, be it since an operator wants it or for room. */
    boolean givesReplicas(NodeId nodeId) {
        return isDiskFull(nodeId) || isLeaving(nodeId);
    }

    /** Whether an operator wants the node to hold nothing. */
    public boolean isLeaving(NodeId nodeId) {
        return facts(nodeId).state().filter(NodeState::givesReplicas).isPresent();
    }

    /** What operators want of the node; empty: the map does not know it. */
    public Optional<NodeState> state(NodeId nodeId) {
        return facts(nodeId).state();
    }

    public Optional<Instant> lastHeard(NodeId nodeId) {
        return Optional.ofNullable(heard.get(nodeId)).map(LastReport::at);
    }

    /** The latest report of a node that may be dead; empty: this manager has heard none. */
    public Optional<LastReport> lastWord(NodeId nodeId) {
        return Optional.ofNullable(heard.get(nodeId));
    }

    /** Since when the node has been silent, or nothing has been heard of it. */
    public Instant silentSince(NodeId nodeId) {
        return lastHeard(nodeId).orElse(leadSince);
    }

    /** The latest report of a node that is not dead. */
    public Optional<NodeReport> report(NodeId nodeId) {
        return facts(nodeId).report();
    }

    /** The replica as its node reported it last. */
    public Optional<NodeReport.Replica> replica(NodeId nodeId, RangeId rangeId) {
        lookups++;
        return report(nodeId).flatMap(report -> report.replica(rangeId));
    }

    /** Why the node cannot use its store; empty: it can, as far as known. */
    public Optional<String> damage(NodeId nodeId) {
        return report(nodeId).flatMap(NodeReport::damage);
    }

    /** Why the replica has to be rebuilt, be it alone or with all of its node. */
    public Optional<String> damage(NodeId nodeId, RangeId rangeId) {
        if (report(nodeId).filter(NodeReport::isAnyDamaged).isEmpty()) {
            return Optional.empty();
        }
        return damage(nodeId)
                .or(
                        () ->
                                replica(nodeId, rangeId)
                                        .flatMap(NodeReport.Replica::damage)
                                        .map(NodeReport.Damage::what));
    }

    /** Replicas looked up in reports so far: what a round costs, most of all. */
    public long lookups() {
        return lookups;
    }

    /** Whether it tells of all data of all ranges that it is a member of, and now. */
    boolean isWhole(NodeId nodeId) {
        return facts(nodeId).whole();
    }

    /** How this member of the range, or the one that shall become one, is. */
    public Health health(RangeId rangeId, NodeId nodeId) {
        NodeFacts node = facts(nodeId);
        return switch (node.liveness()) {
            case DEAD -> Health.DEAD;
            case SUSPECT -> Health.SILENT;
            case UP ->
                    isDiskStalled(nodeId)
                            ? Health.SILENT
                            : health(rangeId, node.heard().orElseThrow());
        };
    }

    private Health health(RangeId rangeId, LastReport latest) {
        lookups++;
        Optional<NodeReport.Replica> replica = latest.report().replica(rangeId);
        if (latest.report().damage().isPresent()) {
            return Health.DAMAGED;
        }
        if (replica.isEmpty()) {
            return missing(rangeId, latest);
        }
        if (replica.get().damage().filter(damage -> !damage.serving()).isPresent()) {
            return Health.DAMAGED;
        }
        return replica.get().joining() ? Health.CATCHING_UP : Health.HEALTHY;
    }

    private Health missing(RangeId rangeId, LastReport latest) {
        Instant since = latest.missingSince().get(rangeId);
        NodeId nodeId = latest.report().node().nodeId();
        if (since == null || map.mayBeFounded(rangeId, nodeId)) {
            return Health.CATCHING_UP;
        }
        return since.plus(policy.suspectAfter()).isAfter(now) ? Health.SILENT : Health.LOST;
    }

    /** The same for a member, quicker where its node lacks nothing. */
    public Health memberHealth(RangeId rangeId, NodeId member) {
        return facts(member).whole() ? Health.HEALTHY : health(rangeId, member);
    }

    /** Whether all members are healthy and stay where they are, found without a look at each. */
    public boolean isSettled(RangeDescriptor range) {
        for (NodeId member : range.members()) {
            NodeFacts node = facts(member);
            if (!node.whole() || givesReplicas(member)) {
                return false;
            }
        }
        return true;
    }

    /** How many of the range's members are healthy. */
    public int healthy(RangeDescriptor range) {
        int count = 0;
        for (NodeId member : range.members()) {
            if (memberHealth(range.rangeId(), member) == Health.HEALTHY) {
                count++;
            }
        }
        return count;
    }

    /** Who claimed last to lead the range, even if it does no more. */
    public Optional<NodeId> lastLeader(RangeId rangeId) {
        return leaders.last(rangeId);
    }

    /** Who leads the range, by its own fresh word. */
    public Optional<NodeId> leader(RangeId rangeId) {
        Optional<NodeId> claims = leaders.last(rangeId);
        if (claims.isEmpty() || liveness(claims.get()) != Liveness.UP) {
            return Optional.empty();
        }
        return replica(claims.get(), rangeId)
                .filter(NodeReport.Replica::leading)
                .flatMap(replica -> claims);
    }

    /** The replica of who leads the range, by its own fresh word. */
    public Optional<NodeReport.Replica> leading(RangeId rangeId) {
        return leader(rangeId).flatMap(leader -> replica(leader, rangeId));
    }

    /** The most that was asked of the range lately, in each respect; empty: not known. */
    public Optional<Demand> peak(RangeId rangeId) {
        return Optional.ofNullable(peaks.get(rangeId)).flatMap(peak -> peak.most(now));
    }

    /** Leading replicas by their nodes' fresh word, in no order; without a look at each range. */
    public void forEachLeading(BiConsumer<NodeId, NodeReport.Replica> each) {
        for (ClusterNode node : map.nodes()) {
            leading(node.nodeId()).forEach(replica -> each.accept(node.nodeId(), replica));
        }
    }

    /** Replicas that lead, by the node's fresh word, in no order; none if another one led later. */
    public List<NodeReport.Replica> leading(NodeId nodeId) {
        if (liveness(nodeId) != Liveness.UP) {
            return List.of();
        }
        List<NodeReport.Replica> told = report(nodeId).orElseThrow().leading();
        return isLeadAsTold(nodeId)
                ? told
                : told.stream()
                        .filter(replica -> leaders.isLastOf(nodeId, replica.rangeId()))
                        .toList();
    }

    /** What is told of {@link #leading(NodeId)}. */
    public LeadershipSummary leadSummary(NodeId nodeId) {
        return isLeadAsTold(nodeId) && liveness(nodeId) == Liveness.UP
                ? report(nodeId).orElseThrow().leadSummary()
                : LeadershipSummary.of(leading(nodeId));
    }

    /** How many of the ranges that it is a member of the node led last. */
    public int lastLeads(NodeId nodeId) {
        if (isLeadAsTold(nodeId)) {
            return heard.get(nodeId).report().leading().size();
        }
        int leads = 0;
        for (RangeId rangeId : map.ranges().onNode(nodeId)) {
            leads += leaders.isLastOf(nodeId, rangeId) ? 1 : 0;
        }
        return leads;
    }

    /**
     * Whether the node led last what it says that it leads and nothing else, all of that ranges of
     * its own; found without a look at each, so that it may be so though this says no.
     */
    boolean isLeadAsTold(NodeId nodeId) {
        return facts(nodeId).leadAsTold();
    }

    /**
     * Whether the member could stand in for any other one at once: healthy, and about level with
     * the range's leader.
     */
    public boolean keepsUp(RangeId rangeId, NodeId member) {
        if (health(rangeId, member) != Health.HEALTHY) {
            return false;
        }
        Optional<NodeReport.Replica> leading =
                leader(rangeId).flatMap(leader -> replica(leader, rangeId));
        if (leading.isEmpty()) {
            return false;
        }
        if (leader(rangeId).filter(member::equals).isPresent()) {
            return true;
        }
        long level = leading.get().appliedIndex() - BEHIND_MAX;
        // One that the leader does not have, or does not hear, is no help to it, though this
        // manager hears both.
        return leading.get().followers().stream()
                .filter(follower -> follower.nodeId().equals(member))
                .anyMatch(
                        follower ->
                                follower.matchIndex() >= level
                                        && follower.silent().compareTo(policy.suspectAfter()) < 0);
    }

    /** Bytes of the range's rows on one node, about, by the largest report; 0: not known. */
    public long sizeBytes(RangeDescriptor range) {
        long bytes = 0;
        for (NodeId member : range.members()) {
            Optional<NodeReport.Replica> replica = replica(member, range.rangeId());
            if (replica.isPresent()) {
                bytes = Math.max(bytes, replica.get().sizeBytes());
            }
        }
        return bytes;
    }

    /** Whether new replicas and leads may come to the node now. */
    public boolean takesMore(NodeId nodeId) {
        return facts(nodeId).takesMore();
    }

    /** Where the node stands; a node that nobody knows stands nowhere in particular. */
    public String zone(NodeId nodeId) {
        return facts(nodeId).zone();
    }

    /** Fewest members that decide for a range of so many. */
    public static int majority(int members) {
        return members / 2 + 1;
    }
}
