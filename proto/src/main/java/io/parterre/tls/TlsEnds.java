package io.parterre.tls;

import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * Both ends of connections between members of a Raft group, which all have one role. Immutable.
 *
 * @param accepting returns the context for an accepted connection; called for each
 * @param connecting returns the context for a new connection; called for each
 * @param role role of all members
 * @param onRefusal receives the reason of a refusal, and the caller's address, if a call was made
 *     in the name of another member; must not block
 */
public record TlsEnds(
        Supplier<SSLContext> accepting,
        Supplier<SSLContext> connecting,
        PeerRole role,
        BiConsumer<String, Object> onRefusal) {
    /**
     * Returns the reason why a peer may not call as the member; empty: it may.
     *
     * @param member id of the member
     */
    public Optional<String> refusal(PeerIdentity peer, String member) {
        return PeerRule.only(PeerName.of(role, member)).refusal(peer);
    }
}
