package io.parterre.manager.plan.view;

import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapApply;
import io.parterre.manager.map.MapCommand;
import io.parterre.range.NodeId;
import java.util.ArrayList;
import java.util.List;

/** Maps with as many ranges as a test wants, all of which have served. */
public final class Maps {
    private Maps() {}

    /** Ranges 1, 2, ... with these members, at generation 1. */
    public static ClusterMap of(List<ClusterNode> nodes, List<List<NodeId>> members) {
        return ClusterMap.founded(new ClusterId("c"), nodes, members);
    }

    public static NodeId id(int n) {
        return new NodeId("n" + n);
    }

    public static List<NodeId> ids(int... numbers) {
        List<NodeId> ids = new ArrayList<>();
        for (int n : numbers) {
            ids.add(id(n));
        }
        return ids;
    }

    public static ClusterNode node(NodeId nodeId, String zone) {
        return new ClusterNode(nodeId, nodeId + ":1", nodeId + ":2", zone, "");
    }

    public static ClusterMap after(ClusterMap map, MapCommand... commands) {
        ClusterMap result = map;
        for (MapCommand command : commands) {
            result = MapApply.apply(result, command).map();
        }
        return result;
    }
}
