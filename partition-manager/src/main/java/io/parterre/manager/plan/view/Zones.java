package io.parterre.manager.plan.view;

import io.parterre.range.NodeId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The zones of a range's members. Members are spread as well as possible if their numbers in any
 * two eligible zones differ by at most one. Not thread-safe.
 */
public final class Zones {
    private final Map<String, Integer> count = new HashMap<>();

    private Zones() {}

    public static Zones of(ClusterView view, Collection<NodeId> members) {
        Zones zones = new Zones();
        for (NodeId member : members) {
            zones.count.merge(view.zone(member), 1, Integer::sum);
        }
        return zones;
    }

    /** Returns whether all members are in different zones and so cannot be spread better. */
    public static boolean areAllDifferent(ClusterView view, List<NodeId> members) {
        for (int i = 1; i < members.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (view.zone(members.get(i)).equals(view.zone(members.get(j)))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns the zones of nodes that take more. */
    public static Set<String> open(ClusterView view, Collection<NodeId> nodes) {
        Set<String> open = new TreeSet<>();
        for (NodeId node : nodes) {
            open.add(view.zone(node));
        }
        return open;
    }

    public int in(String zone) {
        return count.getOrDefault(zone, 0);
    }

    /**
     * Returns the zone with most members, if it has at least two more than some open zone; else
     * empty.
     */
    public Optional<String> crowded(Set<String> open) {
        int fewest = Integer.MAX_VALUE;
        for (String zone : open) {
            fewest = Math.min(fewest, in(zone));
        }
        String most = null;
        for (Map.Entry<String, Integer> zone : count.entrySet()) {
            if (zone.getValue() - 2 >= fewest
                    && (most == null
                            || zone.getValue() > in(most)
                            || (zone.getValue() == in(most)
                                    && zone.getKey().compareTo(most) < 0))) {
                most = zone.getKey();
            }
        }
        return Optional.ofNullable(most);
    }
}
