package io.parterre.manager.rpc;

import io.grpc.ManagedChannel;
import io.parterre.tls.TlsEnds;
import java.util.Optional;

/** Connections to the services of other managers. Thread-safe. */
@FunctionalInterface
public interface PeerChannels {
    /**
     * Returns a new channel, which the caller closes.
     *
     * @param serviceAddress host:port
     */
    ManagedChannel connect(String serviceAddress);

    /** Returns the TLS settings of Raft's connections between managers; empty for plain text. */
    default Optional<TlsEnds> raft() {
        return Optional.empty();
    }
}
