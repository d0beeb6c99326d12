package io.parterre.server.rpc;

import io.grpc.ManagedChannel;
import io.parterre.range.NodeId;
import io.parterre.tls.TlsEnds;
import java.util.Optional;

/**
 * Ways to other nodes: channels to their services, and what Raft's are secured by. Safe for any
 * thread.
 */
@FunctionalInterface
public interface NodeChannels {
    /**
     * A new channel; connecting can wait for its first use. The caller closes it.
     *
     * @param serviceAddress host:port as the partition manager knows it
     */
    ManagedChannel open(NodeId nodeId, String serviceAddress);

    /** What Raft's connections between nodes are secured by; empty: they are in plain text. */
    default Optional<TlsEnds> raft() {
        return Optional.empty();
    }
}
