package io.parterre.deploy.certs.plan;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is to be done.
 *
 * @param steps in this order, now; after them the plan is made again
 * @param next when there will be something to do, where an issuer is being changed
 */
public record CertificatePlan(List<CertificateStep> steps, Optional<Instant> next) {
    public CertificatePlan {
        steps = List.copyOf(steps);
    }

    static CertificatePlan now(CertificateStep step) {
        return new CertificatePlan(List.of(step), Optional.empty());
    }
}
