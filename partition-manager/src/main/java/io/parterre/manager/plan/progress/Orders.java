package io.parterre.manager.plan.progress;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.Merge;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.Recovery;
import io.parterre.manager.map.Split;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.plan.view.Regressions;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides what a node has to do, from the map and the reports alone. No phase is stored, so any
 * manager can continue where another one stopped, and an order may be given twice. Stateless and
 * thread-safe.
 */
public final class Orders {
    private Orders() {}

    /**
     * Returns the orders for one node.
     *
     * @param leads planned new leaders, by range
     * @param ordersMax upper bound on the orders; the rest follows with later reports
     */
    public static List<Order> forNode(
            ClusterView view, NodeId nodeId, Map<RangeId, NodeId> leads, int ordersMax) {
        if (view.damage(nodeId).isPresent()) {
            return StoreRebuildGate.obstacle(view, nodeId).isEmpty()
                    ? rebuildStore(view, nodeId)
                    : List.of();
        }
        List<Order> orders = new ArrayList<>();
        found(view, nodeId, orders);
        for (Move move : view.map().moves()) {
            next(view, nodeId, move).ifPresent(orders::add);
        }
        for (Split split : view.map().splits()) {
            next(view, nodeId, split).ifPresent(orders::add);
        }
        for (Merge merge : view.map().merges()) {
            MergeOrders.next(view, nodeId, merge).ifPresent(orders::add);
        }
        for (Recovery recovery : view.map().recoveries()) {
            next(view, nodeId, recovery).ifPresent(orders::add);
        }
        view.report(nodeId)
                .ifPresent(
                        report -> {
                            for (NodeReport.Replica replica : report.replicas()) {
                                ofReplica(view, nodeId, replica, leads).ifPresent(orders::add);
                            }
                        });
        return orders.size() <= ordersMax ? orders : orders.subList(0, ordersMax);
    }

    private static List<Order> rebuildStore(ClusterView view, NodeId nodeId) {
        return view.report(nodeId).stream()
                .<Order>map(report -> new Order.RebuildStore(report.node().incarnation()))
                .toList();
    }

    /** Adds orders to make replicas of ranges that have never served. */
    private static void found(ClusterView view, NodeId nodeId, List<Order> orders) {
        for (RangeId rangeId : view.map().unconfirmed()) {
            view.map()
                    .ranges()
                    .find(rangeId)
                    .filter(range -> range.members().contains(nodeId))
                    .filter(range -> view.map().mayBeFounded(rangeId, nodeId))
                    .filter(range -> view.replica(nodeId, rangeId).isEmpty())
                    .map(range -> new Order.HostReplica(range, nodes(view.map(), range.members())))
                    .ifPresent(orders::add);
        }
    }

    /** Returns the order of the move's next step for this node; empty if there is none. */
    private static Optional<Order> next(ClusterView view, NodeId nodeId, Move move) {
        if (!(MoveProgress.of(view, move) instanceof MoveProgress.Going going)) {
            return Optional.empty();
        }
        RangeDescriptor range = view.map().ranges().find(move.rangeId()).orElseThrow();
        return switch (going.step()) {
            case ABANDON -> change(view, nodeId, range, range.members());
            case DISCARD ->
                    move.add()
                            .filter(nodeId::equals)
                            .filter(node -> isSettled(view, range))
                            .map(
                                    node ->
                                            new Order.RemoveReplica(
                                                    range.rangeId(), range.generation()));
            case JOIN ->
                    move.add()
                            .filter(nodeId::equals)
                            .map(
                                    node ->
                                            new Order.JoinReplica(
                                                    range, nodes(view.map(), range.members())));
            case ADD -> change(view, nodeId, range, with(range, move.add().orElseThrow()));
            case REMOVE -> change(view, nodeId, range, without(range, move.remove().orElseThrow()));
            case TRANSFER_LEAD ->
                    successor(view, range, nodeId)
                            .filter(node -> leads(view, nodeId, range))
                            .map(
                                    node ->
                                            new Order.TransferLead(
                                                    range.rangeId(), range.generation(), node));
            case CATCH_UP, MAJORITY -> Optional.empty();
        };
    }

    /** Returns the order of the split's next step for this node; empty if there is none. */
    private static Optional<Order> next(ClusterView view, NodeId nodeId, Split split) {
        RangeDescriptor range = view.map().ranges().find(split.rangeId()).orElseThrow();
        SplitProgress progress = SplitProgress.of(view, split);
        if (progress instanceof SplitProgress.Abandoned) {
            return change(view, nodeId, range, range.members());
        }
        return progress instanceof SplitProgress.Ordered && leads(view, nodeId, range)
                ? Optional.of(
                        new Order.SplitRange(
                                split.rangeId(),
                                split.decidedAt(),
                                split.splitPoint(),
                                split.childIds(),
                                split.childLeader()))
                : Optional.empty();
    }

    /** Returns the order of the recovery for this node; empty if there is none. */
    private static Optional<Order> next(ClusterView view, NodeId nodeId, Recovery recovery) {
        boolean due =
                recovery.survivor().equals(nodeId)
                        && view.replica(nodeId, recovery.rangeId()).isEmpty()
                        && view.replica(nodeId, recovery.lostId())
                                .filter(replica -> replica.damage().isEmpty())
                                .isPresent();
        return due
                ? view.map()
                        .ranges()
                        .find(recovery.rangeId())
                        .map(
                                range ->
                                        new Order.RecoverRange(
                                                recovery.lostId(),
                                                range,
                                                nodes(view.map(), range.members())))
                : Optional.empty();
    }

    /**
     * Returns an order to change the members, only to a leader that has the same descriptor as the
     * map.
     */
    static Optional<Order> change(
            ClusterView view, NodeId nodeId, RangeDescriptor range, List<NodeId> members) {
        if (!leads(view, nodeId, range)) {
            return Optional.empty();
        }
        return Optional.of(
                new Order.ChangeMembers(
                        range.rangeId(), range.generation(), nodes(view.map(), members)));
    }

    /**
     * Returns whether the node leads by its latest report, with the same descriptor generation as
     * the map.
     */
    static boolean leads(ClusterView view, NodeId nodeId, RangeDescriptor range) {
        return view.leader(range.rangeId()).filter(nodeId::equals).isPresent()
                && view.replica(nodeId, range.rangeId())
                        .filter(replica -> replica.generation().equals(range.generation()))
                        .isPresent();
    }

    /**
     * Returns the healthy member to which leadership is best transferred: rather one that takes
     * more, then the one with the highest match index.
     */
    static Optional<NodeId> successor(ClusterView view, RangeDescriptor range, NodeId leader) {
        return range.members().stream()
                .filter(node -> !node.equals(leader))
                .filter(node -> view.health(range.rangeId(), node) == Health.HEALTHY)
                .filter(node -> Regressions.differsAt(view, node, range.rangeId()).isEmpty())
                .max(
                        Comparator.comparing(view::takesMore)
                                .thenComparing(node -> matchIndex(view, range, leader, node))
                                .thenComparing(Comparator.naturalOrder()));
    }

    private static long matchIndex(
            ClusterView view, RangeDescriptor range, NodeId leader, NodeId node) {
        return view.replica(leader, range.rangeId()).stream()
                .flatMap(replica -> replica.followers().stream())
                .filter(follower -> follower.nodeId().equals(node))
                .mapToLong(NodeReport.Follower::matchIndex)
                .findFirst()
                .orElse(0);
    }

    private static Optional<Order> ofReplica(
            ClusterView view,
            NodeId nodeId,
            NodeReport.Replica replica,
            Map<RangeId, NodeId> leads) {
        Optional<RangeDescriptor> known = view.map().ranges().find(replica.rangeId());
        if (known.isEmpty()) {
            return Leftovers.order(view, nodeId, replica);
        }
        RangeDescriptor range = known.get();
        Optional<Move> move = view.map().move(range.rangeId());
        if (!range.members().contains(nodeId)) {
            boolean stray =
                    move.flatMap(Move::add).filter(nodeId::equals).isEmpty()
                            && replica.generation().compareTo(range.generation()) <= 0
                            && isSettled(view, range);
            return stray
                    ? Optional.of(new Order.RemoveReplica(range.rangeId(), range.generation()))
                    : Optional.empty();
        }
        Optional<Order> quarantine = QuarantineOrders.of(view, nodeId, range);
        if (quarantine.isPresent()) {
            return quarantine;
        }
        Optional<Order> thaw = MergeOrders.thaw(view, nodeId, range);
        if (thaw.isPresent()) {
            return thaw;
        }
        NodeId to = leads.get(range.rangeId());
        boolean hand =
                to != null
                        && !view.map().isChanging(range.rangeId())
                        && !to.equals(nodeId)
                        && range.members().contains(to)
                        && leads(view, nodeId, range)
                        && view.health(range.rangeId(), to) == Health.HEALTHY
                        && Regressions.differsAt(view, to, range.rangeId()).isEmpty();
        return hand
                ? Optional.of(new Order.TransferLead(range.rangeId(), range.generation(), to))
                : Optional.empty();
    }

    /**
     * Returns whether the leader has the same descriptor as the map. Otherwise a change may be in
     * flight that adds the very replica that looks stray.
     */
    private static boolean isSettled(ClusterView view, RangeDescriptor range) {
        return view.leader(range.rangeId())
                .filter(leader -> range.members().contains(leader))
                .filter(leader -> leads(view, leader, range))
                .isPresent();
    }

    private static List<NodeId> with(RangeDescriptor range, NodeId node) {
        List<NodeId> members = new ArrayList<>(range.members());
        members.add(node);
        return members;
    }

    private static List<NodeId> without(RangeDescriptor range, NodeId node) {
        List<NodeId> members = new ArrayList<>(range.members());
        members.remove(node);
        return members;
    }

    private static List<ClusterNode> nodes(ClusterMap map, List<NodeId> members) {
        return members.stream().map(map::node).flatMap(Optional::stream).toList();
    }
}
