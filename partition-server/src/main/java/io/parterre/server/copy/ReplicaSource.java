package io.parterre.server.copy;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.io.IOException;

/** Where a copy of a replica comes from. Safe for any thread. */
@FunctionalInterface
public interface ReplicaSource {
    /**
     * Brings the copy that a node makes of its replica; waits for all of it.
     *
     * @param node that leads the range
     * @param serviceAddress host:port of its services
     * @throws IOException if it failed, or what came is damaged or not whole
     */
    void copy(NodeId node, String serviceAddress, RangeId rangeId, ReplicaSink sink)
            throws IOException;
}
