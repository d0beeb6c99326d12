package io.parterre.manager.rpc;

import io.grpc.ManagedChannel;

/** Ways to the services of other managers. Safe for any thread. */
@FunctionalInterface
public interface PeerChannels {
    /**
     * A new channel, closed by the caller.
     *
     * @param serviceAddress host:port
     */
    ManagedChannel connect(String serviceAddress);
}
