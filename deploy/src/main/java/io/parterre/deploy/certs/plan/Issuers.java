package io.parterre.deploy.certs.plan;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Issuers of a cluster. All of them are trusted; two of them while one takes the place of the
 * other.
 *
 * @param current signs
 * @param next will sign, once all processes trust it
 * @param previous has signed what some processes may still show
 */
public record Issuers(Issuer current, Optional<Issuer> next, Optional<Issuer> previous) {
    /** Ids of all whom processes have to trust. */
    public Set<String> trusted() {
        return Stream.of(Optional.of(current), next, previous)
                .flatMap(Optional::stream)
                .map(Issuer::id)
                .collect(Collectors.toUnmodifiableSet());
    }
}
