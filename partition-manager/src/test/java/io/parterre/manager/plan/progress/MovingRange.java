package io.parterre.manager.plan.progress;

import static io.parterre.manager.plan.view.Maps.after;
import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;

import io.parterre.disk.DiskSpace;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.MoveReason;
import io.parterre.manager.map.Split;
import io.parterre.manager.map.SplitReason;
import io.parterre.manager.plan.policy.DiskPolicy;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.LastReport;
import io.parterre.manager.plan.view.Leaders;
import io.parterre.manager.plan.view.Maps;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** One range with three members of four nodes, and what each node reports of it. */
final class MovingRange {
    static final Instant NOW = Instant.ofEpochSecond(1_000);
    static final RangeId R1 = new RangeId(1);

    /** The third member is ahead of the second. */
    static final List<NodeReport.Follower> FOLLOWERS =
            List.of(
                    new NodeReport.Follower(id(2), 5, Duration.ZERO),
                    new NodeReport.Follower(id(3), 9, Duration.ZERO));

    ClusterMap map =
            Maps.of(
                    List.of(
                            Maps.node(id(1), ""),
                            Maps.node(id(2), ""),
                            Maps.node(id(3), ""),
                            Maps.node(id(4), "")),
                    List.of(ids(1, 2, 3)));
    final Map<NodeId, NodeReport.Replica> held = new HashMap<>();
    final Map<NodeId, Integer> silentSeconds = new HashMap<>();
    final Set<NodeId> withoutStore = new HashSet<>();
    Map<RangeId, NodeId> leads = Map.of();
    List<NodeReport.SplitRefusal> refusals = List.of();
    Instant now = NOW;
    final Map<NodeId, List<NodeReport.Replica>> told = new HashMap<>();

    void damaged(int node, long generation, boolean leading) {
        held.put(
                id(node),
                new NodeReport.Replica(
                        R1,
                        new Generation(generation),
                        leading,
                        1,
                        1,
                        List.of(),
                        leading ? FOLLOWERS : List.of(),
                        false,
                        0,
                        Optional.of(new NodeReport.Damage("a bad entry", leading)),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        NodeReport.Rows.AS_ALL));
    }

    void holds(int node, long generation, boolean leading, boolean joining) {
        held.put(
                id(node),
                new NodeReport.Replica(
                        R1,
                        new Generation(generation),
                        leading,
                        1,
                        1,
                        List.of(),
                        leading ? FOLLOWERS : List.of(),
                        joining));
    }

    void allMembersHold(long generation, int leader) {
        held.clear();
        for (NodeId member : range().members()) {
            int n = Integer.parseInt(member.value().substring(1));
            holds(n, generation, n == leader, false);
        }
    }

    RangeDescriptor range() {
        return map.ranges().find(R1).orElseThrow();
    }

    ClusterView view() {
        Map<NodeId, LastReport> heard = new HashMap<>();
        Map<RangeId, NodeId> leaders = new HashMap<>();
        for (ClusterNode node : map.nodes()) {
            NodeReport.Replica replica = held.get(node.nodeId());
            if (replica != null && replica.leading()) {
                leaders.put(R1, node.nodeId());
            }
            heard.put(
                    node.nodeId(),
                    next(
                            Optional.empty(),
                            report(node),
                            now.minusSeconds(silentSeconds.getOrDefault(node.nodeId(), 0)),
                            map.ranges().onNode(node.nodeId()),
                            true));
        }
        return new ClusterView(map, heard, leaders, Instant.EPOCH, now, Policy.DEFAULT, Map.of());
    }

    static LastReport next(
            Optional<LastReport> before,
            NodeReport report,
            Instant at,
            Collection<RangeId> expected,
            boolean folderReplaced) {
        return LastReport.next(
                before,
                report,
                at,
                expected,
                Leaders.of(Map.of()),
                Map.of(),
                folderReplaced,
                DiskPolicy.DEFAULT);
    }

    NodeReport report(ClusterNode node) {
        return new NodeReport(
                node,
                map.clusterId(),
                Stream.concat(
                                Optional.ofNullable(held.get(node.nodeId())).stream(),
                                told.getOrDefault(node.nodeId(), List.of()).stream())
                        .toList(),
                withoutStore.contains(node.nodeId())
                        ? Optional.of("a bad block")
                        : Optional.empty(),
                false,
                node.nodeId().equals(id(1)) ? refusals : List.of(),
                List.of(),
                DiskSpace.UNKNOWN,
                false);
    }

    /** What each node is told, as "node: order". */
    List<String> orders() {
        List<String> all = new ArrayList<>();
        for (ClusterNode node : map.nodes()) {
            for (Order order : Orders.forNode(view(), node.nodeId(), leads, 10)) {
                all.add(node.nodeId() + ": " + order.match(new Text()));
            }
        }
        return all;
    }

    Move begin(MoveReason reason, NodeId add, NodeId remove) {
        Move move =
                new Move(
                        R1,
                        Optional.ofNullable(add),
                        Optional.ofNullable(remove),
                        reason,
                        range().generation(),
                        NOW);
        map = after(map, new MapCommand.BeginMove(move));
        return move;
    }

    void rangeBecomes(long generation, NodeId... members) {
        map =
                after(
                        map,
                        new MapCommand.UpdateRange(
                                R1,
                                range().generation(),
                                new Generation(generation),
                                List.of(members)));
    }

    Split beginSplit() {
        return beginSplit(2);
    }

    Split beginSplit(int parts) {
        map =
                after(
                        map,
                        new MapCommand.BeginSplit(
                                R1,
                                range().generation(),
                                Optional.empty(),
                                Optional.empty(),
                                SplitReason.OPERATOR,
                                NOW,
                                parts));
        return map.split(R1).orElseThrow();
    }

    /** The leader reports bounds of its own. */
    void leaderHas(long generation, KeyRange bounds) {
        held.put(id(1), leading(R1, generation, bounds));
    }

    NodeReport.Replica leading(RangeId rangeId, long generation, KeyRange bounds) {
        return new NodeReport.Replica(
                rangeId,
                new Generation(generation),
                true,
                1,
                1,
                range().members(),
                FOLLOWERS,
                false,
                0,
                Optional.empty(),
                Optional.of(bounds),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                NodeReport.Rows.AS_ALL);
    }

    /** Leads a part that the map does not know of. */
    void tells(int node, RangeId rangeId, Key start, Key end) {
        told.put(id(node), List.of(leading(rangeId, 2, new KeyRange(start, end))));
    }

    List<Optional<MapCommand>> news() {
        return Upkeep.news(view(), report(map.node(id(1)).orElseThrow())).stream()
                .map(Upkeep.News::command)
                .toList();
    }

    private static final class Text implements Order.Cases<String> {
        @Override
        public String host(Order.HostReplica host) {
            return "host " + names(host.nodes());
        }

        @Override
        public String join(Order.JoinReplica join) {
            return "join " + join.range().generation() + names(join.nodes());
        }

        @Override
        public String change(Order.ChangeMembers change) {
            return "change " + change.generation() + names(change.nodes());
        }

        @Override
        public String transfer(Order.TransferLead transfer) {
            return "transfer " + transfer.generation() + " to " + transfer.to();
        }

        @Override
        public String split(Order.SplitRange split) {
            return "split "
                    + split.generation()
                    + " into "
                    + String.join(",", split.childIds().stream().map(RangeId::toString).toList());
        }

        @Override
        public String merge(Order.MergeRanges merge) {
            return "merge "
                    + merge.leftId()
                    + "@"
                    + merge.leftGeneration()
                    + " and "
                    + merge.rightId()
                    + "@"
                    + merge.rightGeneration();
        }

        @Override
        public String thaw(Order.ThawRange thaw) {
            return "thaw " + thaw.rangeId() + "@" + thaw.generation();
        }

        @Override
        public String remove(Order.RemoveReplica remove) {
            return "remove " + remove.generation();
        }

        @Override
        public String rebuildStore(Order.RebuildStore rebuildStore) {
            return "rebuild store";
        }

        @Override
        public String recover(Order.RecoverRange recover) {
            return "recover " + recover.lostId() + " as " + recover.range().rangeId();
        }

        @Override
        public String quarantine(Order.QuarantineReplica quarantine) {
            return "quarantine " + quarantine.generation() + " " + quarantine.acknowledgedIndex();
        }

        private static List<NodeId> names(List<ClusterNode> nodes) {
            return nodes.stream().map(ClusterNode::nodeId).toList();
        }
    }
}
