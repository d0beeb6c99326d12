package io.parterre.deploy.certs.plan;

import io.parterre.tls.PeerName;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * What a Secret holds.
 *
 * @param certificate empty: nothing that can be read
 * @param trusted ids of the issuers that its holder trusts
 * @param changed when the Secret was written last
 */
public record HeldCertificate(Optional<Shown> certificate, Set<String> trusted, Instant changed) {
    public HeldCertificate {
        trusted = Set.copyOf(trusted);
    }

    /**
     * A certificate's own words.
     *
     * @param names what its holder may be
     * @param hosts names that its holder is reached by
     * @param issuer id of the one that signed it; empty: none that is trusted
     */
    public record Shown(
            Set<PeerName> names,
            Set<String> hosts,
            Optional<String> issuer,
            Instant made,
            Instant ends) {
        public Shown {
            names = Set.copyOf(names);
            hosts = Set.copyOf(hosts);
        }
    }
}
