package io.parterre.manager.plan.view;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapApply;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.sim.SimMaps;
import io.parterre.range.NodeId;
import java.util.ArrayList;
import java.util.List;

/** Maps with as many ranges as a test wants, all of which have served. */
public final class Maps {
    private Maps() {}

    /** Ranges 1, 2, ... with these members, at generation 1. */
    public static ClusterMap of(List<ClusterNode> nodes, List<List<NodeId>> members) {
        return SimMaps.of(nodes, members);
    }

    public static NodeId id(int n) {
        return SimMaps.id(n);
    }

    public static List<NodeId> ids(int... numbers) {
        List<NodeId> ids = new ArrayList<>();
        for (int n : numbers) {
            ids.add(id(n));
        }
        return ids;
    }

    public static ClusterNode node(NodeId nodeId, String zone) {
        return SimMaps.node(nodeId, zone);
    }

    public static ClusterMap after(ClusterMap map, MapCommand... commands) {
        ClusterMap result = map;
        for (MapCommand command : commands) {
            result = MapApply.apply(result, command).map();
        }
        return result;
    }
}
