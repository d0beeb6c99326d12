package io.parterre.tls;

import java.util.Optional;

/** Who may be at the other end of a connection. Pure; safe for any thread. */
@FunctionalInterface
public interface PeerRule {
    /** Why the peer may not; empty: it may. */
    Optional<String> refusal(PeerIdentity peer);

    /** Any holder of a certificate of the cluster; each call is decided by its role. */
    static PeerRule anyone() {
        return peer -> Optional.empty();
    }

    /** This one, or any of the role if the name has no id. */
    static PeerRule only(PeerName expected) {
        return peer ->
                peer.mayBe(expected)
                        ? Optional.empty()
                        : Optional.of(
                                "the certificate is of " + peer + " (expected: " + expected + ")");
    }
}
