package io.parterre.deploy.network;

import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.peer.Introduction;
import io.parterre.proto.node.CopyReplicaRequest;
import io.parterre.tls.PeerIdentity;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.util.Optional;

/**
 * The node in whose name a request is made. A peer whose certificate contains an id may only use
 * this id. Pure; thread-safe.
 */
final class PeerClaims {
    private PeerClaims() {}

    /**
     * Returns why the peer may not make this request in the name that it states; empty if it may,
     * or if the request states none.
     */
    static Optional<String> refusal(Object request, PeerIdentity peer) {
        Optional<String> id = claimed(request);
        if (id.isEmpty()) {
            return Optional.empty();
        }
        PeerRole role = request instanceof Introduction ? PeerRole.MANAGER : PeerRole.SERVER;
        boolean own =
                peer.names().stream()
                        .filter(name -> name.role() == role)
                        .map(PeerName::id)
                        .anyMatch(certified -> certified.isEmpty() || certified.equals(id));
        return own
                ? Optional.empty()
                : Optional.of(peer + " reports as " + role + " '" + id.get() + "'");
    }

    private static Optional<String> claimed(Object request) {
        if (request instanceof HeartbeatRequest heartbeat) {
            return Optional.of(heartbeat.getNode().getNodeId());
        }
        if (request instanceof Introduction introduction) {
            return Optional.of(introduction.getManager().getNodeId());
        }
        return request instanceof CopyReplicaRequest copy
                ? Optional.of(copy.getNodeId())
                : Optional.empty();
    }
}
