package io.parterre.manager.plan.view;

import io.parterre.disk.DiskSpace;
import io.parterre.key.KeyRange;
import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Merge;
import io.parterre.manager.map.MergeReason;
import io.parterre.manager.plan.policy.Demand;
import io.parterre.manager.plan.policy.DiskPolicy;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.progress.Order;
import io.parterre.manager.plan.progress.Orders;
import io.parterre.manager.plan.progress.Upkeep;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Two neighbours on some of five nodes, and what each node reports of them. */
public final class TwoRanges {
    public static final Instant NOW = Instant.ofEpochSecond(10_000);
    public static final RangeId LEFT = new RangeId(1);
    public static final RangeId RIGHT = new RangeId(2);

    public ClusterMap map;
    public Policy policy = Policy.DEFAULT;
    public Instant now = NOW;
    public Instant leadSince = Instant.EPOCH;
    public final Set<NodeId> silent = new HashSet<>();
    public final Set<NodeId> stalled = new HashSet<>();

    /** Their data folders are not new: what they do not tell of may be about to start. */
    public final Set<NodeId> restarting = new HashSet<>();

    public final Map<NodeId, String> storeDamage = new HashMap<>();
    public final Map<RangeId, LoadPeak> peaks = new HashMap<>();
    public List<NodeReport.SplitRefusal> splitRefusals = List.of();
    public List<NodeReport.MergeRefusal> refusals = List.of();
    private final Map<NodeId, TreeMap<RangeId, NodeReport.Replica>> held = new TreeMap<>();

    /** One range over all keys that its members have yet to report. */
    public static TwoRanges founding(List<NodeId> members) {
        TwoRanges cluster = new TwoRanges(members, members);
        ClusterMap map = ClusterMap.EMPTY;
        for (ClusterNode node : cluster.map.nodes()) {
            map = Maps.after(map, new MapCommand.RegisterNode(node));
        }
        cluster.map = Maps.after(map, new MapCommand.FoundCluster(new ClusterId("c"), members));
        cluster.reported();
        return cluster;
    }

    /** Both led by the first node of theirs, at generation 1. */
    public TwoRanges(List<NodeId> left, List<NodeId> right) {
        List<ClusterNode> nodes = new ArrayList<>();
        for (int n = 1; n <= 5; n++) {
            nodes.add(Maps.node(Maps.id(n), ""));
        }
        map = Maps.of(nodes, List.of(left, right));
        reported();
    }

    /** All members hold what the map has, and the first of each leads. */
    public void reported() {
        held.clear();
        for (RangeDescriptor range : map.ranges().inKeyOrder()) {
            for (NodeId member : range.members()) {
                holds(member, range.rangeId(), range.generation().value());
            }
            leads(range.members().get(0), range.rangeId(), range.generation().value());
        }
    }

    public void holds(NodeId node, RangeId rangeId, long generation) {
        put(node, replica(rangeId, generation, false, 0, Optional.empty(), Optional.empty()));
    }

    public void drops(NodeId node, RangeId rangeId) {
        held.get(node).remove(rangeId);
    }

    public void joins(NodeId node, RangeId rangeId, long generation) {
        put(
                node,
                new NodeReport.Replica(
                        rangeId,
                        new Generation(generation),
                        false,
                        1,
                        1,
                        List.of(),
                        List.of(),
                        true));
    }

    /** Holds it, and serves it until it is started again. */
    public void holdsDamaged(NodeId node, RangeId rangeId, long generation, String what) {
        put(
                node,
                new NodeReport.Replica(
                        rangeId,
                        new Generation(generation),
                        false,
                        1,
                        1,
                        range(rangeId).members(),
                        List.of(),
                        false,
                        0,
                        Optional.of(new NodeReport.Damage(what, true)),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        NodeReport.Rows.AS_ALL));
    }

    /** Leads it not, knows of nobody who does, and has these bounds. */
    public void knows(NodeId node, RangeId rangeId, long generation, KeyRange bounds) {
        put(node, replica(rangeId, generation, false, 0, Optional.of(bounds), Optional.empty()));
    }

    public void leads(NodeId node, RangeId rangeId, long generation) {
        leads(node, rangeId, generation, range(rangeId).bounds(), Optional.empty());
    }

    public void leadsFrozen(NodeId node, RangeId rangeId, long generation) {
        leads(node, rangeId, generation, range(rangeId).bounds(), Optional.of(LEFT));
    }

    public void leads(
            NodeId node,
            RangeId rangeId,
            long generation,
            KeyRange bounds,
            Optional<RangeId> frozenFor) {
        for (NodeId other : held.keySet()) {
            NodeReport.Replica before = held.get(other).get(rangeId);
            if (before != null && before.leading()) {
                holds(other, rangeId, before.generation().value());
            }
        }
        put(node, replica(rangeId, generation, true, 0, Optional.of(bounds), frozenFor));
    }

    /** The leader tells of its size and of what is asked of it. */
    public void isAsked(RangeId rangeId, double operations, Duration observed, long bytes) {
        isAsked(
                rangeId,
                new RangeLoad(
                        operations,
                        0,
                        0,
                        0,
                        0,
                        observed,
                        RangeLoad.Shape.SPREAD,
                        Optional.empty(),
                        0),
                bytes);
    }

    public void isAsked(RangeId rangeId, RangeLoad load, long bytes) {
        for (NodeId node : held.keySet()) {
            NodeReport.Replica before = held.get(node).get(rangeId);
            if (before != null && before.leading()) {
                put(
                        node,
                        new NodeReport.Replica(
                                rangeId,
                                before.generation(),
                                true,
                                1,
                                1,
                                before.members(),
                                before.followers(),
                                false,
                                bytes,
                                Optional.empty(),
                                before.bounds(),
                                Optional.of(load),
                                before.log(),
                                before.frozenFor(),
                                NodeReport.Rows.AS_ALL));
            }
        }
    }

    /** So much at most, in the last minutes. */
    public void peaked(RangeId rangeId, double operations) {
        peaked(rangeId, new Demand(operations, 0));
    }

    public void peaked(RangeId rangeId, Demand wanted) {
        Optional<LoadPeak> peak = Optional.empty();
        for (int second = 400; second >= 0; second--) {
            peak = Optional.of(LoadPeak.next(peak, wanted, now.minusSeconds(second)));
        }
        peaks.put(rangeId, peak.orElseThrow());
    }

    private NodeReport.Replica replica(
            RangeId rangeId,
            long generation,
            boolean leading,
            long bytes,
            Optional<KeyRange> bounds,
            Optional<RangeId> frozenFor) {
        List<NodeId> members =
                map.ranges().find(rangeId).map(RangeDescriptor::members).orElse(List.of());
        return new NodeReport.Replica(
                rangeId,
                new Generation(generation),
                leading,
                1,
                1,
                members,
                leading
                        ? members.stream()
                                .map(node -> new NodeReport.Follower(node, 1, Duration.ZERO))
                                .toList()
                        : List.of(),
                false,
                bytes,
                Optional.empty(),
                bounds,
                Optional.empty(),
                Optional.empty(),
                frozenFor,
                NodeReport.Rows.AS_ALL);
    }

    private void put(NodeId node, NodeReport.Replica replica) {
        held.computeIfAbsent(node, id -> new TreeMap<>()).put(replica.rangeId(), replica);
    }

    public RangeDescriptor range(RangeId rangeId) {
        return map.ranges().find(rangeId).orElseThrow();
    }

    public Merge begin(MergeReason reason) {
        Merge merge =
                new Merge(
                        LEFT,
                        RIGHT,
                        range(LEFT).generation(),
                        range(RIGHT).generation(),
                        reason,
                        now);
        apply(new MapCommand.BeginMerge(merge));
        return map.merge(LEFT).orElseThrow();
    }

    public void apply(MapCommand... commands) {
        map = Maps.after(map, commands);
    }

    public ClusterView view() {
        Map<NodeId, LastReport> heard = new HashMap<>();
        Map<RangeId, NodeId> leaders = new HashMap<>();
        for (ClusterNode node : map.nodes()) {
            NodeReport report = report(node.nodeId());
            report.replicas().stream()
                    .filter(NodeReport.Replica::leading)
                    .forEach(replica -> leaders.put(replica.rangeId(), node.nodeId()));
            if (!silent.contains(node.nodeId())) {
                heard.put(
                        node.nodeId(),
                        LastReport.next(
                                Optional.empty(),
                                report,
                                now,
                                map.ranges().onNode(node.nodeId()),
                                Leaders.of(Map.of()),
                                Map.of(),
                                !restarting.contains(node.nodeId()),
                                DiskPolicy.DEFAULT));
            }
        }
        return new ClusterView(map, heard, leaders, leadSince, now, policy, peaks);
    }

    public NodeReport report(NodeId nodeId) {
        TreeMap<RangeId, NodeReport.Replica> replicas = held.getOrDefault(nodeId, new TreeMap<>());
        return new NodeReport(
                map.node(nodeId).orElseThrow(),
                map.clusterId(),
                replicas.values(),
                Optional.ofNullable(storeDamage.get(nodeId)),
                stalled.contains(nodeId),
                splitRefusals,
                refusals,
                DiskSpace.UNKNOWN,
                false);
    }

    /** What the map learns from the node. */
    public List<Optional<MapCommand>> news(NodeId nodeId) {
        return Upkeep.news(view(), report(nodeId)).stream().map(Upkeep.News::command).toList();
    }

    public List<MapCommand> chores() {
        return Upkeep.due(view()).stream().map(Upkeep.Chore::command).toList();
    }

    /** What each node is told. */
    public List<String> orders() {
        List<String> all = new ArrayList<>();
        for (ClusterNode node : map.nodes()) {
            for (Order order : Orders.forNode(view(), node.nodeId(), Map.of(), 10)) {
                all.add(node.nodeId() + ": " + text(order));
            }
        }
        return all;
    }

    private static String text(Order order) {
        if (order instanceof Order.MergeRanges merge) {
            return "merge "
                    + merge.leftId()
                    + "@"
                    + merge.leftGeneration()
                    + " and "
                    + merge.rightId()
                    + "@"
                    + merge.rightGeneration();
        }
        if (order instanceof Order.ThawRange thaw) {
            return "thaw " + thaw.rangeId() + "@" + thaw.generation();
        }
        if (order instanceof Order.TransferLead transfer) {
            return "transfer " + transfer.rangeId() + " to " + transfer.to();
        }
        if (order instanceof Order.ChangeMembers change) {
            return "change "
                    + change.rangeId()
                    + "@"
                    + change.generation()
                    + change.nodes().stream().map(ClusterNode::nodeId).toList();
        }
        if (order instanceof Order.RemoveReplica remove) {
            return "remove " + remove.rangeId() + "@" + remove.generation();
        }
        return order.toString();
    }
}
