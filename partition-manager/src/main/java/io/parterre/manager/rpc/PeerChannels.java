package io.parterre.manager.rpc;

import io.grpc.ManagedChannel;
import io.parterre.tls.TlsEnds;
import java.util.Optional;

/** Ways to the services of other managers. Safe for any thread. */
@FunctionalInterface
public interface PeerChannels {
    /**
     * A new channel, closed by the caller.
     *
     * @param serviceAddress host:port
     */
    ManagedChannel connect(String serviceAddress);

    /** What Raft's connections between managers are secured by; empty: they are in plain text. */
    default Optional<TlsEnds> raft() {
        return Optional.empty();
    }
}
