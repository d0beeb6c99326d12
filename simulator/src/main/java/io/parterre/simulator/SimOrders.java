package io.parterre.simulator;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.plan.progress.Order;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Orders on their way to nodes, and what nodes make of them. A range's group is as lenient as it
 * can be: it takes out any member its leader is told to, so that a majority is kept by the
 * manager's judgement or not at all.
 */
final class SimOrders {
    private record Due(long at, NodeId node, Order order) {}

    private record OfRange(NodeId node, Optional<RangeId> rangeId) {}

    private final SimState state;
    private final SimMerges merges;
    private final List<Due> underWay = new ArrayList<>();

    /** When the last order on its way about a range will be carried out. */
    private final Map<OfRange, Long> last = new HashMap<>();

    int leadsMoved;

    SimOrders(SimState state, SimMerges merges) {
        this.state = state;
        this.merges = merges;
    }

    boolean isAnyUnderWay() {
        return !underWay.isEmpty();
    }

    /** Orders about one range are carried out as they come. */
    void send(NodeId nodeId, List<Order> orders) {
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

    /** What the node was ordered and has not done goes with the process. */
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
            // Else its keys are held by a replica of a range that no longer exists.
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
            RangeId rangeId = change.rangeId();
            SimGroup group = state.groups.get(rangeId);
            if (group == null
                    || group.frozenFor.isPresent()
                    || !group.isLedBy(self)
                    || !group.generation.equals(change.generation())) {
                return null;
            }
            List<NodeId> members = change.nodes().stream().map(ClusterNode::nodeId).toList();
            List<NodeId> joins = new ArrayList<>(members);
            joins.removeAll(group.members);
            List<NodeId> leaves = new ArrayList<>(group.members);
            leaves.removeAll(members);
            Invariant.holds(
                    joins.size() + leaves.size() <= 1, "one change of range %s at a time", rangeId);
            Invariant.holds(!leaves.contains(self), "leader %s does not take itself out", self);
            if (leaves.stream().anyMatch(leave -> state.isServingDamaged(rangeId, leave))
                    && !state.isMajorityServing(rangeId, members)) {
                // One of them was lost while the order was on its way; no majority would agree.
                return null;
            }
            for (NodeId join : joins) {
                SimNode target = state.nodes.get(join);
                if (!target.up
                        || !target.replicas.containsKey(rangeId)
                        || !hasCopy(target, group, rangeId)) {
                    return null;
                }
                state.history.copies(target, rangeId, group.generation);
            }
            leaves.forEach(leave -> state.nodes.get(leave).changed = true);
            group.members = members;
            group.generation = group.generation.next();
            return null;
        }

        /** The order is given again until it has. */
        private boolean hasCopy(SimNode target, SimGroup group, RangeId rangeId) {
            long bytes = state.bytes.applyAsLong(group.bounds);
            return target.replicas.get(rangeId).since + state.network.copySeconds(bytes)
                    <= state.second;
        }

        @Override
        public Void transfer(Order.TransferLead transfer) {
            SimGroup group = state.groups.get(transfer.rangeId());
            if (group != null
                    && group.isLedBy(self)
                    && group.members.contains(transfer.to())
                    && state.serves(transfer.rangeId(), transfer.to())) {
                group.leader = Optional.of(transfer.to());
                group.ledSince = state.second;
                leadsMoved++;
            }
            return null;
        }

        @Override
        public Void split(Order.SplitRange split) {
            SimGroup group = state.groups.get(split.rangeId());
            if (group == null
                    || !group.isLedBy(self)
                    || !group.generation.equals(split.generation())) {
                return null;
            }
            List<Key> cuts =
                    split.cut()
                            .map(List::of)
                            .orElseGet(() -> state.cuts(group.bounds, split.childIds().size() + 1));
            if (cuts.isEmpty() || !cuts.stream().allMatch(group.bounds::contains)) {
                node.refusals = List.of(new NodeReport.Refusal(split.childIds().get(0), "no cut"));
                return null;
            }
            group.generation = group.generation.next();
            Key end = group.bounds.endExclusive();
            group.bounds = new KeyRange(group.bounds.start(), cuts.get(0));
            group.ledSince = state.second;
            for (int i = 0; i < cuts.size(); i++) {
                Key childEnd = i + 1 < cuts.size() ? cuts.get(i + 1) : end;
                startChild(
                        split, split.childIds().get(i), new KeyRange(cuts.get(i), childEnd), group);
            }
            for (NodeId member : group.members) {
                if (state.serves(split.rangeId(), member)) {
                    state.takes(state.nodes.get(member), split.rangeId(), true);
                }
            }
            split.childIds().subList(0, cuts.size()).forEach(state::touch);
            return null;
        }

        private void startChild(
                Order.SplitRange split, RangeId childId, KeyRange bounds, SimGroup parent) {
            Invariant.holds(!state.groups.containsKey(childId), "range %s is born once", childId);
            SimGroup child =
                    new SimGroup(
                            new RangeDescriptor(
                                    childId, bounds, parent.generation, parent.members));
            child.ledSince = state.second;
            child.leader =
                    split.childLeader()
                            .filter(member -> state.serves(split.rangeId(), member))
                            .or(() -> Optional.of(self));
            state.groups.put(childId, child);
            state.history.cut(split.rangeId(), parent.generation, childId);
        }

        @Override
        public Void remove(Order.RemoveReplica remove) {
            SimReplica held = node.replicas.get(remove.rangeId());
            SimGroup group = state.groups.get(remove.rangeId());
            if (held != null && group == null) {
                removeDead(remove.rangeId());
            } else if (held != null && held.generation.compareTo(remove.generation()) <= 0) {
                Invariant.holds(
                        !group.members.contains(self),
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
            // A stray one has left the group before, and is never told of it.
            boolean stray = group != null && !group.members.contains(self);
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
            merges.begin(node, merge);
            return null;
        }

        @Override
        public Void thaw(Order.ThawRange thaw) {
            SimGroup group = state.groups.get(thaw.rangeId());
            if (group != null
                    && group.isLedBy(self)
                    && group.generation.equals(thaw.generation())
                    && !merges.isJoining(thaw.rangeId(), self)) {
                merges.thaw(thaw.rangeId());
            }
            return null;
        }

        @Override
        public Void rebuildStore(Order.RebuildStore rebuildStore) {
            if (node.storeDamaged && rebuildStore.incarnation().equals(node.self.incarnation())) {
                // Orders are carried out late, so that another one may begin meanwhile. What must
                // hold is that every range keeps its majority, which is looked at after each step.
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

        /** No simulated member loses what it acknowledged without notice. */
        @Override
        public Void quarantine(Order.QuarantineReplica quarantine) {
            throw new IllegalStateException("order: " + quarantine + " (expected: none)");
        }
    }
}
