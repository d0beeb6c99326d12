package org.apache.ratis.grpc.server;

import java.io.IOException;
import org.apache.ratis.protocol.RaftPeerId;

/** Resets the connections that carry calls for votes. Stateless; safe for any thread. */
public final class PeerConnections {
    private PeerConnections() {}

    /**
     * Ends gRPC's backoff of a failed connection, so that gRPC connects again at once. gRPC waits
     * longer after each failure, up to two minutes, and calls fail meanwhile. Without this reset a
     * candidate could not ask a member that returns after a while for its vote.
     */
    public static void retryNow(GrpcServicesImpl services, RaftPeerId peer) {
        try {
            services.getProxies().getProxy(peer).resetConnectBackoff();
        } catch (IOException unknownPeer) {
            // The peer has just left the group and has no vote.
            return;
        }
    }
}
