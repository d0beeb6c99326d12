package io.parterre.frontend.client;

import io.grpc.ManagedChannel;
import io.parterre.range.NodeId;

/**
 * Opens the channel to a node's RangeService: over the network, or within the process. The caller
 * closes it. Answers are handled without blocking, so {@code directExecutor()} is right.
 */
@FunctionalInterface
public interface ChannelFactory {
    /**
     * A new channel; connecting can wait for its first use. Called by the thread whose calls go by
     * it most, so that the connection can be one of that thread's event loop: then no other thread
     * takes part in a call.
     *
     * @param serviceAddress host:port as the partition manager knows it
     */
    ManagedChannel open(NodeId nodeId, String serviceAddress);
}
