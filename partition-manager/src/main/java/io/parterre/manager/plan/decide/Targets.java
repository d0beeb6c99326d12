package io.parterre.manager.plan.decide;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Zones;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Nodes that may get replicas, and the best of them for a range. For one round. */
final class Targets {
    private final ClusterView view;
    private final Policy policy;
    private final Ledger ledger;
    private final List<NodeId> open = new ArrayList<>();
    private final Set<String> zones;

    /**
     * A node that holds more replicas is not preferred for being near, or balance would move its
     * replicas on.
     */
    private final int nearReplicasMax;

    /** Computed on first use, because most rounds place nothing. */
    private Optional<Copysets> copysets = Optional.empty();

    Targets(ClusterView view, Policy policy, Ledger ledger) {
        this.view = view;
        this.policy = policy;
        this.ledger = ledger;
        int sum = 0;
        for (ClusterNode node : view.map().nodes()) {
            if (view.takesMore(node.nodeId())) {
                open.add(node.nodeId());
                sum += ledger.replicas(node.nodeId());
            }
        }
        int mean = sum / Math.max(1, open.size());
        this.nearReplicasMax = mean + 2 * policy.tolerated(mean);
        this.zones = Zones.open(view, open);
    }

    /** Returns the nodes that take more, sorted by id. */
    List<NodeId> open() {
        return open;
    }

    Set<String> zones() {
        return zones;
    }

    Copysets copysets() {
        if (copysets.isEmpty()) {
            copysets = Optional.of(Copysets.of(view, policy));
        }
        return copysets.get();
    }

    /** Returns how many nodes could take a replica of the range, were they not busy with moves. */
    int count(RangeDescriptor range) {
        int count = 0;
        for (NodeId node : open) {
            if (isFree(range, node) && !ledger.isFull(node)) {
                count++;
            }
        }
        return count;
    }

    /**
     * Returns whether a node would take a replica of the range if it did not hold the maximum
     * already.
     */
    boolean isAnyFull(RangeDescriptor range) {
        for (NodeId node : open) {
            if (isFree(range, node) && ledger.isFull(node)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether this node can take a replica of the range, were it not busy with moves. */
    boolean isOpen(RangeDescriptor range, NodeId node) {
        return view.takesMore(node) && isFree(range, node) && !ledger.isFull(node);
    }

    /**
     * Returns whether this node can take a replica of the range and has room for the move as well.
     */
    boolean isReady(RangeDescriptor range, NodeId node) {
        return isOpen(range, node) && ledger.hasRoom(node);
    }

    /**
     * Returns the best node: in the zone with the fewest members that stay, then near to most of
     * them, then with the fewest replicas; empty if there is none.
     */
    Optional<NodeId> best(RangeDescriptor range, Collection<NodeId> staying) {
        return near(range, staying).or(() -> best(open, range, staying));
    }

    /**
     * Returns the best node if it is near all members that stay; else empty. Found without an
     * examination of each node, and only in zones that no other zone beats, even if their nodes are
     * busy.
     */
    Optional<NodeId> near(RangeDescriptor range, Collection<NodeId> staying) {
        if (staying.isEmpty()) {
            return Optional.empty();
        }
        Zones taken = Zones.of(view, staying);
        int fewest = zones.stream().mapToInt(taken::in).min().orElse(0);
        List<NodeId> near =
                copysets().near(staying.iterator().next()).stream()
                        .filter(view::takesMore)
                        .filter(node -> taken.in(view.zone(node)) == fewest)
                        .filter(node -> strangers(node, staying) == 0)
                        .toList();
        return best(near, range, staying);
    }

    /**
     * Returns the number of staying members that the node is not near; all of them if the node must
     * not be preferred for being near.
     */
    private int strangers(NodeId node, Collection<NodeId> staying) {
        return ledger.replicas(node) > nearReplicasMax
                ? staying.size()
                : copysets().strangers(node, staying);
    }

    private Optional<NodeId> best(
            Collection<NodeId> nodes, RangeDescriptor range, Collection<NodeId> staying) {
        Zones taken = Zones.of(view, staying);
        NodeId best = null;
        int bestInZone = 0;
        int bestStrangers = 0;
        int bestReplicas = 0;
        for (NodeId node : nodes) {
            int inZone = taken.in(view.zone(node));
            if ((best != null && inZone > bestInZone)
                    || !isFree(range, node)
                    || ledger.isFull(node)
                    || !ledger.hasRoom(node)) {
                continue;
            }
            int strangers = strangers(node, staying);
            int replicas = ledger.replicas(node);
            if (best == null
                    || inZone < bestInZone
                    || strangers < bestStrangers
                    || (strangers == bestStrangers && replicas < bestReplicas)) {
                best = node;
                bestInZone = inZone;
                bestStrangers = strangers;
                bestReplicas = replicas;
            }
        }
        return Optional.ofNullable(best);
    }

    /**
     * Returns whether the node could hold a replica, apart from its number of replicas. A stray
     * replica has to be removed first: an order to remove it may be in flight.
     */
    private boolean isFree(RangeDescriptor range, NodeId node) {
        return !range.members().contains(node)
                && view.replica(node, range.rangeId()).isEmpty()
                && ledger.hasSpaceFor(range, node);
    }
}
