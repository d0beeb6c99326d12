package io.parterre.deploy.certs.plan;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The changes to make to a cluster's certificates.
 *
 * @param steps to be done now, in this order; then the plan is made again
 * @param next when more will have to be done, while the issuer changes
 */
public record CertificatePlan(List<CertificateStep> steps, Optional<Instant> next) {
    public CertificatePlan {
        steps = List.copyOf(steps);
    }

    static CertificatePlan now(CertificateStep step) {
        return new CertificatePlan(List.of(step), Optional.empty());
    }
}
