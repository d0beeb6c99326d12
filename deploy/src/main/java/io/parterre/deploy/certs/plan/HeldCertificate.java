package io.parterre.deploy.certs.plan;

import io.parterre.tls.PeerName;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * The contents of a Secret.
 *
 * @param certificate empty if the Secret has no readable certificate
 * @param trusted ids of the issuers that the holder trusts
 * @param changed when the Secret was last written
 */
public record HeldCertificate(Optional<Shown> certificate, Set<String> trusted, Instant changed) {
    public HeldCertificate {
        trusted = Set.copyOf(trusted);
    }

    /**
     * The fields of a certificate.
     *
     * @param names roles that the holder may have
     * @param hosts names at which the holder is reached
     * @param issuer id of the issuer that signed it; empty if no trusted issuer did
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
