package io.parterre.simulator;

import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.range.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Maps with any number of ranges, all of which have served. Stateless. */
public final class SimMaps {
    private SimMaps() {}

    public static NodeId id(int n) {
        return new NodeId("n" + n);
    }

    public static ClusterNode node(NodeId nodeId, String zone) {
        return new ClusterNode(nodeId, nodeId + ":1", nodeId + ":2", zone, "");
    }

    /** Returns nodes n1, n2, ... in zones z0, z1, ... in rotation. */
    static List<ClusterNode> nodes(int count, int zones) {
        List<ClusterNode> nodes = new ArrayList<>();
        for (int n = 1; n <= count; n++) {
            nodes.add(node(id(n), zone(n, zones)));
        }
        return nodes;
    }

    static String zone(int n, int zones) {
        return "z" + n % zones;
    }

    /**
     * Returns evenly spread members of each range: neighbours in the order of nodes, which are in
     * different zones. The next range begins behind them.
     */
    static List<List<NodeId>> members(
            List<ClusterNode> nodes, int ranges, int replicas, Random random) {
        List<List<NodeId>> members = new ArrayList<>();
        int size = nodes.size();
        int each = Math.min(replicas, size);
        for (int i = 0; i < ranges; i++) {
            List<NodeId> ids = new ArrayList<>();
            int first = (int) ((long) i * each % size);
            for (int k = 0; k < each; k++) {
                ids.add(nodes.get((first + k) % size).nodeId());
            }
            Collections.rotate(ids, random.nextInt(each));
            members.add(List.copyOf(ids));
        }
        return members;
    }

    /** Returns a map with ranges 1, 2, ... with these members, at generation 1. */
    public static ClusterMap of(List<ClusterNode> nodes, List<List<NodeId>> members) {
        return ClusterMap.founded(new ClusterId("c"), nodes, members);
    }
}
