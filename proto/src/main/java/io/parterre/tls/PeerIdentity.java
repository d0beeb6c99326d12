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

/**
 * What a peer may be by its certificate: names that stand there as URIs of the form {@code
 * spiffe://parterre/ROLE} or {@code spiffe://parterre/ROLE/ID}. Immutable.
 *
 * @param names none: a certificate that makes nobody of a cluster
 */
public record PeerIdentity(Set<PeerName> names) {
    private static final int URI_KIND = 6;
    private static final Set<Integer> HOST_KINDS = Set.of(2, 7);

    public PeerIdentity {
        names = Set.copyOf(names);
    }

    /** Of a certificate whose issuer was verified before. */
    public static PeerIdentity of(X509Certificate certificate) {
        Set<PeerName> names = new LinkedHashSet<>();
        for (List<?> each : alternatives(certificate)) {
            if (each.get(0).equals(URI_KIND)) {
                PeerName.parse(String.valueOf(each.get(1))).ifPresent(names::add);
            }
        }
        return new PeerIdentity(names);
    }

    /** Whether it names hosts or addresses that it is for. */
    static boolean namesHosts(X509Certificate certificate) {
        return alternatives(certificate).stream()
                .anyMatch(each -> HOST_KINDS.contains(each.get(0)));
    }

    private static Collection<List<?>> alternatives(X509Certificate certificate) {
        try {
            return Optional.ofNullable(certificate.getSubjectAlternativeNames()).orElse(List.of());
        } catch (CertificateParsingException unreadable) {
            // Names that cannot be read name nobody.
            return List.of();
        }
    }

    /** Whether it may be this one, or any of the role if that names none. */
    public boolean mayBe(PeerName name) {
        return names.stream().anyMatch(own -> own.covers(name));
    }

    /** Whether it has one of the roles. */
    public boolean hasRole(Set<PeerRole> roles) {
        return names.stream().map(PeerName::role).anyMatch(roles::contains);
    }

    /** In a sentence; in the order of the roles. */
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
