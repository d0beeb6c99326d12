package io.parterre.manager.plan.decide;

import io.parterre.manager.map.ClusterNode;
import io.parterre.range.NodeId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Nodes on a ring, in an order that follows from their ids and the ring's number alone, so that a
 * node that is added or removed leaves all others in place. Not thread-safe.
 */
public final class NodeRing {
    /** The position of a node: any unsigned 64-bit number. */
    private record Place(long position, ClusterNode node) {}

    private static final Comparator<Place> CLOCKWISE =
            Comparator.<Place>comparingLong(place -> place.position() + Long.MIN_VALUE)
                    .thenComparing(place -> place.node().nodeId());

    private final NodeId[] nodes;

    /** Number of the node's zone, by index of the node. */
    private final int[] zones;

    /** Indexes of each zone's nodes, clockwise. */
    private final List<int[]> byZone = new ArrayList<>();

    private NodeRing(List<Place> places) {
        nodes = new NodeId[places.size()];
        zones = new int[places.size()];
        Map<String, Integer> numbers = new TreeMap<>();
        List<List<Integer>> standing = new ArrayList<>();
        for (int i = 0; i < nodes.length; i++) {
            ClusterNode node = places.get(i).node();
            nodes[i] = node.nodeId();
            zones[i] = numbers.computeIfAbsent(node.zone(), zone -> numbers.size());
            if (zones[i] == standing.size()) {
                standing.add(new ArrayList<>());
            }
            standing.get(zones[i]).add(i);
        }
        standing.forEach(each -> byZone.add(each.stream().mapToInt(i -> i).toArray()));
    }

    /**
     * Arranges the nodes.
     *
     * @param number of the ring; each ring has another order
     */
    public static NodeRing of(Collection<ClusterNode> nodes, int number) {
        List<Place> places = new ArrayList<>(nodes.size());
        for (ClusterNode node : nodes) {
            places.add(new Place(position(node.nodeId(), number), node));
        }
        places.sort(CLOCKWISE);
        return new NodeRing(places);
    }

    /**
     * Returns a hash of the id and the ring's number. The function must never change: with another
     * one, no two nodes that have shared ranges until then would be near each other. FNV-1a over
     * the characters, then the finalizer of splitmix64, because ids differ in their last characters
     * alone.
     */
    static long position(NodeId node, int number) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < node.value().length(); i++) {
            hash = (hash ^ node.value().charAt(i)) * 0x100000001b3L;
        }
        return mix(hash + mix(number + 1));
    }

    private static long mix(long value) {
        long z = value + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /**
     * Returns the set that begins at each node, in ring order. A set is filled with the next node
     * clockwise of a zone that has the fewest nodes in it.
     *
     * @param count nodes in a set, or all nodes if there are fewer
     */
    public List<List<NodeId>> sets(int count) {
        List<List<NodeId>> sets = new ArrayList<>(nodes.length);
        // For each zone, which of its nodes is the next behind the start.
        int[] next = new int[byZone.size()];
        for (int start = 0; start < nodes.length; start++) {
            next[zones[start]]++;
            sets.add(set(start, Math.min(count, nodes.length), next));
        }
        return sets;
    }

    private List<NodeId> set(int start, int count, int[] next) {
        int[] taken = new int[next.length];
        taken[zones[start]] = 1;
        NodeId[] set = new NodeId[count];
        set[0] = nodes[start];
        for (int n = 1; n < count; n++) {
            int best = -1;
            int bestSteps = 0;
            for (int zone = 0; zone < next.length; zone++) {
                int[] standing = byZone.get(zone);
                if (taken[zone] == standing.length || (best >= 0 && taken[zone] > taken[best])) {
                    continue;
                }
                int ahead = taken[zone] - (zone == zones[start] ? 1 : 0);
                int at = standing[(next[zone] + ahead) % standing.length];
                int steps = Math.floorMod(at - start, nodes.length);
                if (best < 0 || taken[zone] < taken[best] || steps < bestSteps) {
                    best = zone;
                    bestSteps = steps;
                }
            }
            taken[best]++;
            set[n] = nodes[(start + bestSteps) % nodes.length];
        }
        return Arrays.asList(set);
    }
}
