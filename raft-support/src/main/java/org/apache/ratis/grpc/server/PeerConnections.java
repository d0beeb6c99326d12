package org.apache.ratis.grpc.server;

import java.io.IOException;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServerRpc;

/** Connections by which votes are asked for. Stateless; safe for any thread. */
public final class PeerConnections {
    private PeerConnections() {}

    /**
     * Has a connection that failed be tried again at once. gRPC alone waits longer after each
     * failure, up to two minutes, and what is asked meanwhile fails: a member that was away for a
     * while could not be asked for its vote after it is back.
     */
    public static void retryNow(RaftServerRpc rpc, RaftPeerId peer) {
        if (!(rpc instanceof GrpcServicesImpl services)) {
            return;
        }
        try {
            services.getProxies().getProxy(peer).resetConnectBackoff();
        } catch (IOException unknownPeer) {
            // It has just left the group: it has no vote.
            return;
        }
    }
}
