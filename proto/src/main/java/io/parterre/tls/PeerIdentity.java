package io.parterre.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * The identity of a peer by its certificate: names that are URIs of the form {@code
 * spiffe://parterre/ROLE} or {@code spiffe://parterre/ROLE/ID}. Immutable.
 *
 * @param names empty: the certificate gives no role in a cluster
 */
public record PeerIdentity(Set<PeerName> names) {
    private static final int URI_KIND = 6;
    private static final Set<Integer> HOST_KINDS = Set.of(2, 7);

    public PeerIdentity {
        names = Set.copyOf(names);
    }

    /** Returns the identity in a certificate whose issuer was verified before. */
    public static PeerIdentity of(X509Certificate certificate) {
        Set<PeerName> names = new LinkedHashSet<>();
        for (List<?> each : alternatives(certificate)) {
            if (each.get(0).equals(URI_KIND)) {
                PeerName.parse(String.valueOf(each.get(1))).ifPresent(names::add);
            }
        }
        return new PeerIdentity(names);
    }

    /**
     * Returns the identity of a connection's peer; one without names if the connection has no
     * session, or the peer no certificate.
     */
    public static PeerIdentity of(SSLSession session) {
        try {
            return session != null
                            && session.getPeerCertificates()[0] instanceof X509Certificate own
                    ? of(own)
                    : new PeerIdentity(Set.of());
        } catch (SSLPeerUnverifiedException noCertificate) {
            return new PeerIdentity(Set.of());
        }
    }

    /** Returns whether the certificate is for named hosts or addresses. */
    static boolean namesHosts(X509Certificate certificate) {
        return alternatives(certificate).stream()
                .anyMatch(each -> HOST_KINDS.contains(each.get(0)));
    }

    private static Collection<List<?>> alternatives(X509Certificate certificate) {
        try {
            return Optional.ofNullable(certificate.getSubjectAlternativeNames()).orElse(List.of());
        } catch (CertificateParsingException unreadable) {
            // Unreadable names give no identity.
            return List.of();
        }
    }

    /**
     * Returns whether the peer may be the one of this name, or any of the role if the name has no
     * id.
     */
    public boolean mayBe(PeerName name) {
        return names.stream().anyMatch(own -> own.covers(name));
    }

    /** Returns whether the peer has one of the roles. */
    public boolean hasRole(Set<PeerRole> roles) {
        return names.stream().map(PeerName::role).anyMatch(roles::contains);
    }

    /** Returns text for a sentence, in the order of the roles. */
    @Override
    public String toString() {
        String all =
                Arrays.stream(PeerRole.values())
                        .flatMap(
                                role ->
                                        names.stream()
                                                .filter(name -> name.role() == role)
                                                .map(PeerName::toString)
                                                .sorted())
                        .collect(Collectors.joining(" and "));
        return all.isEmpty() ? "a certificate without a role" : all;
    }
}
