package io.parterre.server.copy;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.io.IOException;

/** Source of copies of replicas. Safe for any thread. */
@FunctionalInterface
public interface ReplicaSource {
    /**
     * Fetches a copy of a node's replica; waits for all of it.
     *
     * @param node node that leads the range
     * @param serviceAddress host:port of the node's services
     * @throws IOException if the copy failed, or arrived damaged or not whole
     */
    void copy(NodeId node, String serviceAddress, RangeId rangeId, ReplicaSink sink)
            throws IOException;
}
