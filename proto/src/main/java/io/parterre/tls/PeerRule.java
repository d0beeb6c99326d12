package io.parterre.tls;

import java.util.Optional;

/** Decides which peers may be at the other end of a connection. Pure; safe for any thread. */
@FunctionalInterface
public interface PeerRule {
    /** Returns the reason why the peer may not be there; empty: it may. */
    Optional<String> refusal(PeerIdentity peer);

    /**
     * Admits any peer with a certificate of the cluster; each call is then decided by the peer's
     * role.
     */
    static PeerRule anyone() {
        return peer -> Optional.empty();
    }

    /** Admits the peer of this name, or any peer of the role if the name has no id. */
    static PeerRule only(PeerName expected) {
        return peer ->
                peer.mayBe(expected)
                        ? Optional.empty()
                        : Optional.of(
                                "the certificate is of " + peer + " (expected: " + expected + ")");
    }
}
