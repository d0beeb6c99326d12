package io.parterre.deploy.certs.plan;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Issuers of a cluster, all of them trusted. There are two while one replaces the other.
 *
 * @param current signs certificates
 * @param next will sign, once all processes trust it
 * @param previous has signed certificates that some processes may still present
 */
public record Issuers(Issuer current, Optional<Issuer> next, Optional<Issuer> previous) {
    /** Returns the ids of all issuers that processes must trust. */
    public Set<String> trusted() {
        return Stream.of(Optional.of(current), next, previous)
                .flatMap(Optional::stream)
                .map(Issuer::id)
                .collect(Collectors.toUnmodifiableSet());
    }
}
