package io.parterre.manager.map;

import io.parterre.range.NodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * Data folders with which a node was removed before it returned with another one. Such a folder
 * holds data of ranges that went on without it, so the node never returns with it. Immutable.
 *
 * @param incarnations made with the folders, the latest last; at most {@link #MAX}
 */
record FormerFolders(NodeId nodeId, List<String> incarnations) {
    /**
     * Upper bound for one node. A forgotten folder that returns is recognized by the cluster's id
     * in it.
     */
    static final int MAX = 32;

    FormerFolders {
        incarnations = List.copyOf(incarnations);
        if (incarnations.isEmpty() || incarnations.size() > MAX) {
            throw new IllegalArgumentException(
                    "incarnations: " + incarnations.size() + " (expected: 1.." + MAX + ")");
        }
    }

    /** Returns these with one more. Beyond the bound the oldest is forgotten. */
    FormerFolders with(String incarnation) {
        List<String> more = new ArrayList<>(incarnations);
        more.add(incarnation);
        return new FormerFolders(nodeId, more.subList(Math.max(0, more.size() - MAX), more.size()));
    }
}
