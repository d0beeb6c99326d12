package io.parterre.server.rpc;

import io.grpc.Status;
import io.grpc.StatusException;
import io.parterre.range.RangeId;
import io.parterre.server.node.Replicas;
import io.parterre.server.raft.Replica;
import java.util.Optional;

/** Finds the replica for an operator's call. Stateless; safe for any thread. */
final class LedReplicas {
    private LedReplicas() {}

    /**
     * Returns the replica of a range that this node leads.
     *
     * @throws StatusException {@code FAILED_PRECONDITION} if this node does not lead the range
     */
    static Replica require(Replicas replicas, long rangeId) throws StatusException {
        Optional<Replica> replica =
                rangeId > 0
                        ? replicas.find(new RangeId(rangeId)).filter(Replica::isLeading)
                        : Optional.empty();
        return replica.orElseThrow(
                () ->
                        Status.FAILED_PRECONDITION
                                .withDescription("range " + rangeId + " is not led here")
                                .asException());
    }
}
