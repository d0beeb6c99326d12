package io.parterre.manager.plan.view;

import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;

/**
 * What a draining node still holds.
 *
 * @param bytes approximate size of the replicas' rows, as far as reported
 */
public record Leftover(int replicas, long bytes) {
    public static Leftover of(ClusterView view, NodeId nodeId) {
        int replicas = 0;
        long bytes = 0;
        for (RangeId rangeId : view.map().ranges().onNode(nodeId)) {
            RangeDescriptor range = view.map().ranges().find(rangeId).orElseThrow();
            replicas++;
            bytes += view.sizeBytes(range);
        }
        return new Leftover(replicas, bytes);
    }
}
