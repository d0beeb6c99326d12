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
 * What the leading manager knows at one moment: the map, the latest reports and their times of
 * arrival. Keeps references to the given maps, which must not change while the view is in use. Not
 * thread-safe.
 */
public final class ClusterView {
    /** Log entries that a member may lack and still count as level with the leader. */
    private static final long BEHIND_MAX = 100;

    private final ClusterMap map;
    private final Map<NodeId, LastReport> heard;
    private final Leaders leaders;
    private final Instant leadSince;
    private final Instant now;
    private final Policy policy;
    private final Map<RangeId, LoadPeak> peaks;
    private final Optional<NodeId> permitHolder;
    private final Map<NodeId, NodeFacts> facts = new HashMap<>();
    private long lookups;

    /**
     * Creates a view.
     *
     * @param heard reports by node; only those that came while this manager leads
     * @param leaders the node that claimed last to lead each range
     * @param peaks the largest recent demand of each range
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

    /**
     * Creates a view whose leaders are counted by node, so that not every leadership has to be
     * examined.
     */
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
        this.permitHolder =
                map.disruptionLease()
                        .filter(lease -> lease.holdsAt(now))
                        .map(DisruptionLease::nodeId);
    }

    /** Returns a copy that does not change, for another thread. */
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

    /** Returns the same view with another policy. */
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

    /** Returns the node that holds the disruption permit; empty if none does. */
    public Optional<NodeId> permitHolder() {
        return permitHolder;
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
                            lastReport(nodeId),
                            leaders.led(nodeId),
                            Liveness.of(lastHeard(nodeId), leadSince, now, policy),
                            permitHolder.filter(nodeId::equals).isPresent());
            facts.put(nodeId, known);
        }
        return known;
    }

    /**
     * Returns the fault for which the node must not lead and gets nothing new; empty if it has
     * none.
     */
    public Optional<NodeFault> ailment(NodeId nodeId) {
        return facts(nodeId).ailment();
    }

    /** Returns the reason for a fault. Only for a node that has one. */
    public Reason whyAiling(NodeId nodeId) {
        return switch (ailment(nodeId).orElseThrow()) {
            case DISK_STALLED -> ReasonCode.DISK_IS_STALLED.of();
            case CLOCK_AHEAD -> ReasonCode.CLOCK_IS_AHEAD.of(clockAhead(nodeId).toSeconds());
        };
    }

    /** Returns how far the node's clock is ahead if that is too far; else zero. */
    public Duration clockAhead(NodeId nodeId) {
        return facts(nodeId)
                .heard()
                .map(LastReport::clock)
                .filter(ClockVerdict::tooFar)
                .map(ClockVerdict::ahead)
                .orElse(Duration.ZERO);
    }

    /**
     * Returns whether the node's disk does not answer. Such a node counts as silent, except that it
     * can still transfer leadership.
     */
    public boolean isDiskStalled(NodeId nodeId) {
        return report(nodeId).filter(NodeReport::diskStalled).isPresent();
    }

    /**
     * Returns whether the node's disk is so full that it gets nothing more and hands over replicas.
     * False for a silent node, which has worse problems.
     */
    public boolean isDiskFull(NodeId nodeId) {
        return facts(nodeId).disk() != DiskLevel.OK;
    }

    /** Returns the use of the node's disk as a reason. */
    public Reason diskUse(NodeId nodeId) {
        int used =
                report(nodeId).map(NodeReport::diskSpace).map(DiskSpace::usedPercentUp).orElse(0);
        return (facts(nodeId).disk() == DiskLevel.CRITICAL
                        ? ReasonCode.DISK_USED_AND_REFUSING
                        : ReasonCode.DISK_USED)
                .of(used);
    }

    /** Returns whether the node has to hand over replicas, for an operator or for a full disk. */
    boolean givesReplicas(NodeId nodeId) {
        return isDiskFull(nodeId) || isLeaving(nodeId);
    }

    /** Returns whether an operator wants the node to hold nothing. */
    public boolean isLeaving(NodeId nodeId) {
        return facts(nodeId).state().filter(NodeState::givesReplicas).isPresent();
    }

    /** Returns the state that operators set for the node; empty if the map does not hold it. */
    public Optional<NodeState> state(NodeId nodeId) {
        return facts(nodeId).state();
    }

    public Optional<Instant> lastHeard(NodeId nodeId) {
        return Optional.ofNullable(heard.get(nodeId)).map(LastReport::at);
    }

    /**
     * Returns the latest report of the node, even if it is dead; empty if this manager has heard
     * none.
     */
    public Optional<LastReport> lastReport(NodeId nodeId) {
        return Optional.ofNullable(heard.get(nodeId));
    }

    /** Returns when the node was heard last, or when this manager's leadership began. */
    public Instant silentSince(NodeId nodeId) {
        return lastHeard(nodeId).orElse(leadSince);
    }

    /** Returns the latest report of a node that is not dead; else empty. */
    public Optional<NodeReport> report(NodeId nodeId) {
        return facts(nodeId).report();
    }

    /**
     * Returns the replica as its node reported it last; empty if the node is dead, was not heard or
     * does not report the replica.
     */
    public Optional<NodeReport.Replica> replica(NodeId nodeId, RangeId rangeId) {
        lookups++;
        return report(nodeId).flatMap(report -> report.replica(rangeId));
    }

    /** Returns why the node cannot use its store; empty if it can, as far as known. */
    public Optional<String> damage(NodeId nodeId) {
        return report(nodeId).flatMap(NodeReport::damage);
    }

    /**
     * Returns why the replica has to be rebuilt, alone or with all of its node; empty if it need
     * not be.
     */
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

    /**
     * Returns the number of replicas looked up in reports so far, which is most of a round's cost.
     */
    public long lookups() {
        return lookups;
    }

    /**
     * Returns whether the node is up and reports all ranges that it is a member of with all of
     * their data.
     */
    boolean reportsAllReplicas(NodeId nodeId) {
        return facts(nodeId).whole();
    }

    /** Returns the health of a member of the range, or of a node that is about to become one. */
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

    /** Returns the same for a member, faster if its node lacks nothing. */
    public Health memberHealth(RangeId rangeId, NodeId member) {
        return facts(member).whole() ? Health.HEALTHY : health(rangeId, member);
    }

    /** Returns whether all members are healthy and stay, without an examination of each replica. */
    public boolean isSettled(RangeDescriptor range) {
        for (NodeId member : range.members()) {
            NodeFacts node = facts(member);
            if (!node.whole() || givesReplicas(member)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the number of healthy members. */
    public int healthy(RangeDescriptor range) {
        int count = 0;
        for (NodeId member : range.members()) {
            if (memberHealth(range.rangeId(), member) == Health.HEALTHY) {
                count++;
            }
        }
        return count;
    }

    /** Returns the node that claimed last to lead the range, even if it leads no more. */
    public Optional<NodeId> lastLeader(RangeId rangeId) {
        return leaders.last(rangeId);
    }

    /** Returns the range's leader by the leader's own latest report; empty if not known. */
    public Optional<NodeId> leader(RangeId rangeId) {
        Optional<NodeId> claims = leaders.last(rangeId);
        if (claims.isEmpty() || liveness(claims.get()) != Liveness.UP) {
            return Optional.empty();
        }
        return replica(claims.get(), rangeId)
                .filter(NodeReport.Replica::leading)
                .flatMap(replica -> claims);
    }

    /** Returns the leader's replica by the leader's own latest report; empty if not known. */
    public Optional<NodeReport.Replica> leading(RangeId rangeId) {
        return leader(rangeId).flatMap(leader -> replica(leader, rangeId));
    }

    /** Returns the largest recent demand of the range in each measure; empty if not known. */
    public Optional<Demand> peak(RangeId rangeId) {
        return Optional.ofNullable(peaks.get(rangeId)).flatMap(peak -> peak.most(now));
    }

    /**
     * Passes on all leading replicas by their nodes' latest reports, in no order, without an
     * examination of each range.
     */
    public void forEachLeading(BiConsumer<NodeId, NodeReport.Replica> each) {
        for (ClusterNode node : map.nodes()) {
            leading(node.nodeId()).forEach(replica -> each.accept(node.nodeId(), replica));
        }
    }

    /**
     * Returns the node's leading replicas by its latest report, in no order, without those of which
     * another node claimed leadership later.
     */
    public List<NodeReport.Replica> leading(NodeId nodeId) {
        if (liveness(nodeId) != Liveness.UP) {
            return List.of();
        }
        List<NodeReport.Replica> told = report(nodeId).orElseThrow().leading();
        return leadsAsReported(nodeId)
                ? told
                : told.stream()
                        .filter(replica -> leaders.isLastOf(nodeId, replica.rangeId()))
                        .toList();
    }

    /** Returns the summary of {@link #leading(NodeId)}. */
    public LeadershipSummary leadSummary(NodeId nodeId) {
        return leadsAsReported(nodeId) && liveness(nodeId) == Liveness.UP
                ? report(nodeId).orElseThrow().leadSummary()
                : LeadershipSummary.of(leading(nodeId));
    }

    /** Returns how many of the ranges that the node is a member of it leads, as {@link #leader}. */
    public long leads(NodeId nodeId) {
        return map.ranges().onNode(nodeId).stream()
                .filter(rangeId -> leader(rangeId).filter(nodeId::equals).isPresent())
                .count();
    }

    /** Returns how many of the ranges that the node is a member of it led last. */
    public int lastLeads(NodeId nodeId) {
        if (leadsAsReported(nodeId)) {
            return heard.get(nodeId).report().leading().size();
        }
        int leads = 0;
        for (RangeId rangeId : map.ranges().onNode(nodeId)) {
            leads += leaders.isLastOf(nodeId, rangeId) ? 1 : 0;
        }
        return leads;
    }

    /**
     * Returns whether the ranges that the node claims to lead are exactly those that it led last,
     * and it is a member of all of them. Found without an examination of each range, so false may
     * be wrong.
     */
    boolean leadsAsReported(NodeId nodeId) {
        return facts(nodeId).leadAsTold();
    }

    /**
     * Returns whether the member could replace any other one at once: it is healthy, and at most
     * 100 entries behind the range's leader.
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
        // A member that is unknown to the leader, or silent to it, does not help the leader, though
        // this manager hears both.
        return leading.get().followers().stream()
                .filter(follower -> follower.nodeId().equals(member))
                .anyMatch(
                        follower ->
                                follower.matchIndex() >= level
                                        && follower.silent().compareTo(policy.suspectAfter()) < 0);
    }

    /**
     * Returns the approximate size in bytes of the range's rows on one node, by the largest report;
     * 0 if not known.
     */
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

    /** Returns whether the node may get new replicas and leaderships now. */
    public boolean takesMore(NodeId nodeId) {
        return facts(nodeId).takesMore();
    }

    /** Returns the node's zone; empty text if the map does not hold the node. */
    public String zone(NodeId nodeId) {
        return facts(nodeId).zone();
    }

    /** Returns the smallest number of members that is a majority. */
    public static int majority(int members) {
        return members / 2 + 1;
    }
}
