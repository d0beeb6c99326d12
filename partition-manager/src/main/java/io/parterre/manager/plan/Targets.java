package io.parterre.manager.plan;

import io.parterre.manager.map.ClusterNode;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Nodes that may get replicas, and the best of them for a range. Lives for one round. */
final class Targets {
    private final ClusterView view;
    private final Ledger ledger;
    private final List<NodeId> open = new ArrayList<>();
    private final Set<String> zones;

    Targets(ClusterView view, Ledger ledger) {
        this.view = view;
        this.ledger = ledger;
        for (ClusterNode node : view.map().nodes()) {
            if (view.takesMore(node.nodeId())) {
                open.add(node.nodeId());
            }
        }
        this.zones = Zones.open(view, open);
    }

    /** Nodes that take more, by id. */
    List<NodeId> open() {
        return open;
    }

    Set<String> zones() {
        return zones;
    }

    /** How many nodes could take a replica of the range, were they not busy with moves. */
    int count(RangeDescriptor range) {
        int count = 0;
        for (NodeId node : open) {
            if (isFree(range, node) && !ledger.isFull(node)) {
                count++;
            }
        }
        return count;
    }

    /** Whether a node would take a replica of the range if it did not hold so many already. */
    boolean isAnyFull(RangeDescriptor range) {
        for (NodeId node : open) {
            if (isFree(range, node) && ledger.isFull(node)) {
                return true;
            }
        }
        return false;
    }

    /** Whether this very node can take a replica of the range, were it not busy with moves. */
    boolean isOpen(RangeDescriptor range, NodeId node) {
        return view.takesMore(node) && isFree(range, node) && !ledger.isFull(node);
    }

    /** Whether it has room for the move as well. */
    boolean isReady(RangeDescriptor range, NodeId node) {
        return isOpen(range, node) && ledger.hasRoom(node);
    }

    /**
     * The node that suits best: in the zone with the fewest of those that stay, then with the
     * fewest replicas.
     */
    Optional<NodeId> best(RangeDescriptor range, Collection<NodeId> staying) {
        Zones taken = Zones.of(view, staying);
        NodeId best = null;
        int bestInZone = 0;
        int bestReplicas = 0;
        for (NodeId node : open) {
            if (!isFree(range, node) || ledger.isFull(node) || !ledger.hasRoom(node)) {
                continue;
            }
            int inZone = taken.in(view.zone(node));
            int replicas = ledger.replicas(node);
            if (best == null
                    || inZone < bestInZone
                    || (inZone == bestInZone && replicas < bestReplicas)) {
                best = node;
                bestInZone = inZone;
                bestReplicas = replicas;
            }
        }
        return Optional.ofNullable(best);
    }

    /** A stray replica goes first: an order to remove it may be on its way. */
    private boolean isFree(RangeDescriptor range, NodeId node) {
        return !range.members().contains(node) && view.replica(node, range.rangeId()).isEmpty();
    }
}
