package io.parterre.manager.map;

import io.parterre.range.NodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * Data folders with which a node was removed before it returned with another one. What such a
 * folder holds is of ranges that went on without it, so the node never returns with it.
 *
 * @param incarnations made with the folders, the latest last; at most {@link #MAX}
 */
record FormerFolders(NodeId nodeId, List<String> incarnations) {
    /** Of one node. A folder that is forgotten is told by the cluster's id in it, if it returns. */
    static final int MAX = 32;

    FormerFolders {
        incarnations = List.copyOf(incarnations);
        if (incarnations.isEmpty() || incarnations.size() > MAX) {
            throw new IllegalArgumentException(
                    "incarnations: " + incarnations.size() + " (expected: 1.." + MAX + ")");
        }
    }

    /** With one more; the oldest is forgotten if they are too many. */
    FormerFolders with(String incarnation) {
        List<String> more = new ArrayList<>(incarnations);
        more.add(incarnation);
        return new FormerFolders(nodeId, more.subList(Math.max(0, more.size() - MAX), more.size()));
    }
}
