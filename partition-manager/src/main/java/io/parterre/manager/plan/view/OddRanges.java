package io.parterre.manager.plan.view;

import io.parterre.manager.map.RangeTable;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Ranges that are wrong by the map alone: with too many or too few members, or with two in one
 * zone. Kept from round to round by their first member, so that only nodes that gained or lost a
 * range since are examined again: each change of a range gives each of its members another
 * collection in the table. What is kept changes no answer. Not thread-safe.
 */
public final class OddRanges {
    /** If more than one node in this many has changed, one pass over all ranges is quicker. */
    private static final int FEW = 8;

    private record Kept(Collection<RangeId> ranges, List<RangeDescriptor> odd) {}

    private final Map<NodeId, Kept> byNode = new HashMap<>();
    private final Map<NodeId, String> zones = new HashMap<>();
    private int replicas;

    /**
     * Returns all odd ranges, in no order.
     *
     * @param count members that a range should have
     */
    List<RangeDescriptor> of(ClusterView view, int count) {
        RangeTable table = view.map().ranges();
        Collection<NodeId> holders = table.holders();
        List<NodeId> changed = new ArrayList<>();
        boolean all = count != replicas;
        for (NodeId node : holders) {
            String before = zones.put(node, view.zone(node));
            all |= before != null && !before.equals(view.zone(node));
            if (!isKept(node, table.onNode(node))) {
                changed.add(node);
            }
        }
        replicas = count;
        if (byNode.size() > holders.size() || zones.size() > holders.size()) {
            byNode.keySet().retainAll(holders);
            zones.keySet().retainAll(holders);
        }
        if (all || changed.size() > holders.size() / FEW) {
            lookAtAll(view);
        } else {
            changed.forEach(node -> look(view, node));
        }
        List<RangeDescriptor> odd = new ArrayList<>();
        byNode.values().forEach(kept -> odd.addAll(kept.odd()));
        return odd;
    }

    @SuppressWarnings("ReferenceEquality") // Comparing equal collections would take too long.
    private boolean isKept(NodeId node, Collection<RangeId> ranges) {
        Kept kept = byNode.get(node);
        return kept != null && kept.ranges() == ranges;
    }

    private void lookAtAll(ClusterView view) {
        RangeTable table = view.map().ranges();
        Map<NodeId, List<RangeDescriptor>> odd = new HashMap<>();
        for (RangeDescriptor range : table.inKeyOrder()) {
            if (isOdd(view, range)) {
                odd.computeIfAbsent(range.members().get(0), node -> new ArrayList<>()).add(range);
            }
        }
        for (NodeId node : table.holders()) {
            byNode.put(node, new Kept(table.onNode(node), odd.getOrDefault(node, List.of())));
        }
    }

    private void look(ClusterView view, NodeId node) {
        RangeTable table = view.map().ranges();
        List<RangeDescriptor> odd = new ArrayList<>();
        for (RangeId rangeId : table.onNode(node)) {
            RangeDescriptor range = table.find(rangeId).orElseThrow();
            if (range.members().get(0).equals(node) && isOdd(view, range)) {
                odd.add(range);
            }
        }
        byNode.put(node, new Kept(table.onNode(node), odd));
    }

    private boolean isOdd(ClusterView view, RangeDescriptor range) {
        return range.members().size() != replicas || !Zones.areAllDifferent(view, range.members());
    }
}
