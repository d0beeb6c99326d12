package io.parterre.tls;

import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * Both ends of connections between members of a Raft group, which all have one role.
 *
 * @param accepting context for a connection that was accepted; asked for each
 * @param connecting context for one that is being made; asked for each
 * @param role of all members
 * @param onRefusal told why a call was refused, and where it came from, if it was made in the name
 *     of another member; must not block
 */
public record TlsEnds(
        Supplier<SSLContext> accepting,
        Supplier<SSLContext> connecting,
        PeerRole role,
        BiConsumer<String, Object> onRefusal) {
    /**
     * Why a peer may not call as the member; empty: it may.
     *
     * @param member id of the member
     */
    public Optional<String> refusal(PeerIdentity peer, String member) {
        return PeerRule.only(PeerName.of(role, member)).refusal(peer);
    }
}
