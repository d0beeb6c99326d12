package io.parterre.server.rpc;

import io.grpc.ManagedChannel;
import io.parterre.range.NodeId;
import io.parterre.tls.TlsEnds;
import java.util.Optional;

/**
 * Opens channels to the services of other nodes, and holds the TLS settings of Raft's connections.
 * Safe for any thread.
 */
@FunctionalInterface
public interface NodeChannels {
    /**
     * Returns a new channel, which may connect at its first use only. The caller closes it.
     *
     * @param serviceAddress host:port as the partition manager knows it
     */
    ManagedChannel open(NodeId nodeId, String serviceAddress);

    /** Returns the TLS of Raft's connections between nodes; empty: they are in plain text. */
    default Optional<TlsEnds> raft() {
        return Optional.empty();
    }
}
