package io.parterre.simulator;

import io.parterre.manager.plan.progress.Order;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.change.MergeOrder;
import io.parterre.server.change.SplitOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Orders in flight to nodes, and their execution. */
final class SimOrders {
    private record Due(long at, NodeId node, Order order) {}

    private record OfRange(NodeId node, Optional<RangeId> rangeId) {}

    private final SimState state;
    private final SimChanges changes;
    private final List<Due> underWay = new ArrayList<>();

    /** When the last order in flight about a range is carried out. */
    private final Map<OfRange, Long> last = new HashMap<>();

    int leadsMoved;

    SimOrders(SimState state, SimChanges changes) {
        this.state = state;
        this.changes = changes;
    }

    boolean isAnyUnderWay() {
        return !underWay.isEmpty();
    }

    /**
     * Sends orders. Those about one range are carried out in their order. A refusal is reported as
     * long as the order is repeated.
     */
    void send(NodeId nodeId, List<Order> orders) {
        if (state.nodes.get(nodeId).refusals.retain(orders)) {
            state.nodes.get(nodeId).changed = true;
        }
        for (Order order : orders) {
            OfRange about = new OfRange(nodeId, order.about());
            long at =
                    Math.max(
                            state.second + state.network.orderSeconds(state.random),
                            last.getOrDefault(about, 0L));
            last.put(about, at);
            underWay.add(new Due(at, nodeId, order));
        }
    }

    /** Drops the node's pending orders, which are lost with its process. */
    void forget(NodeId node) {
        underWay.removeIf(due -> due.node().equals(node));
        last.keySet().removeIf(each -> each.node().equals(node));
    }

    List<Order> underWay() {
        return underWay.stream().map(Due::order).toList();
    }

    void carryOut() {
        List<Due> now = underWay.stream().filter(due -> due.at() <= state.second).toList();
        underWay.removeIf(due -> due.at() <= state.second);
        last.values().removeIf(at -> at <= state.second);
        for (Due due : now) {
            SimNode node = state.nodes.get(due.node());
            if (node.up) {
                due.order().match(new Execution(node));
                node.changed = true;
                due.order().about().ifPresent(state::touch);
            }
        }
    }

    private final class Execution implements Order.Cases<Void> {
        private final SimNode node;
        private final NodeId self;

        Execution(SimNode node) {
            this.node = node;
            this.self = node.nodeId();
        }

        @Override
        public Void host(Order.HostReplica host) {
            hold(host.range(), false);
            return null;
        }

        @Override
        public Void join(Order.JoinReplica join) {
            // Otherwise a replica of a range that no longer exists holds the same keys.
            if (!state.history.holdsAbsorbed(node, join.range().rangeId())) {
                hold(join.range(), true);
            }
            return null;
        }

        private void hold(RangeDescriptor range, boolean joining) {
            node.replicas.putIfAbsent(
                    range.rangeId(),
                    new SimReplica(range.generation(), range.members(), joining, state.second));
        }

        @Override
        public Void change(Order.ChangeMembers change) {
            changes.changeMembers(node, change.rangeId(), change.generation(), change.nodes());
            return null;
        }

        @Override
        public Void transfer(Order.TransferLead transfer) {
            changes.transferLeadership(
                    node,
                    transfer.rangeId(),
                    transfer.generation(),
                    transfer.to(),
                    () -> leadsMoved++);
            return null;
        }

        @Override
        public Void split(Order.SplitRange split) {
            SplitOrder order =
                    new SplitOrder(
                            split.rangeId(),
                            split.generation(),
                            split.splitPoint(),
                            split.childIds(),
                            split.childLeader());
            node.refusals.put(
                    order, changes.split(node, order).filter(SplitOrder.Verdict::isRefusal));
            return null;
        }

        @Override
        public Void remove(Order.RemoveReplica remove) {
            SimReplica held = node.replicas.get(remove.rangeId());
            SimGroup group = state.groups.get(remove.rangeId());
            if (held != null && group == null) {
                removeDead(remove.rangeId());
            } else if (held != null && held.generation.compareTo(remove.generation()) <= 0) {
                Invariant.holds(
                        !group.members().contains(self),
                        "only a stray replica of range %s is removed",
                        remove.rangeId());
                node.replicas.remove(remove.rangeId());
            }
            return null;
        }

        private void removeDead(RangeId rangeId) {
            SimHistory.Absorbed by = state.history.end(rangeId).orElseThrow();
            SimReplica left = node.replicas.get(by.left());
            SimGroup group = state.groups.get(by.left());
            // A stray replica was removed from the group before the merge and never learns of it.
            boolean stray = group != null && !group.members().contains(self);
            Invariant.holds(
                    stray
                            || left == null
                            || left.joining
                            || left.generation.compareTo(by.generation()) >= 0,
                    "a replica of range %s has yet to absorb that of range %s",
                    by.left(),
                    rangeId);
            node.replicas.remove(rangeId);
        }

        @Override
        public Void merge(Order.MergeRanges merge) {
            MergeOrder order =
                    new MergeOrder(
                            merge.leftId(),
                            merge.leftGeneration(),
                            merge.rightId(),
                            merge.rightGeneration());
            node.refusals.put(
                    order, changes.merge(node, order).filter(MergeOrder.Verdict::isRefusal));
            return null;
        }

        @Override
        public Void thaw(Order.ThawRange thaw) {
            changes.thaw(node, thaw.rangeId(), thaw.generation());
            return null;
        }

        @Override
        public Void rebuildStore(Order.RebuildStore rebuildStore) {
            if (node.storeDamaged && rebuildStore.incarnation().equals(node.self.incarnation())) {
                // Orders are carried out late, so another rebuild may begin meanwhile. What must
                // hold is that every range keeps its majority, which is checked after each step.
                forget(self);
                node.forgetAll(state.second);
                node.storeDamaged = false;
                node.rebuiltStore = true;
                state.touchAllOf(self);
            }
            return null;
        }

        @Override
        public Void recover(Order.RecoverRange recover) {
            throw new IllegalStateException("order: " + recover + " (expected: by operators only)");
        }

        /** No simulated member loses acknowledged entries unnoticed. */
        @Override
        public Void quarantine(Order.QuarantineReplica quarantine) {
            throw new IllegalStateException("order: " + quarantine + " (expected: none)");
        }
    }
}
