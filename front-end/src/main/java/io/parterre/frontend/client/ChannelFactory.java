package io.parterre.frontend.client;

import io.grpc.ManagedChannel;
import io.parterre.range.NodeId;

/**
 * Opens the channel to a node's RangeService, over the network or within the process. The caller
 * closes the channel. Answers are handled without blocking, so {@code directExecutor()} is allowed.
 */
@FunctionalInterface
public interface ChannelFactory {
    /**
     * Opens a new channel, which may connect only when it is first used. Called on the thread that
     * uses the channel most, so that the connection can belong to this thread's event loop. Then no
     * other thread is involved in a call.
     *
     * @param serviceAddress host:port as the partition manager knows it
     */
    ManagedChannel open(NodeId nodeId, String serviceAddress);
}
