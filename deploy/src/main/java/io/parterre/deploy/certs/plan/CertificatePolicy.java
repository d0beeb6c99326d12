package io.parterre.deploy.certs.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How long certificates last.
 *
 * @param validity of certificates
 * @param issuerValidity of issuers
 * @param settle time within which each process reads a Secret that was changed
 * @param renewMadeBefore an issuer made before this is renewed whatever its age, and with it all
 *     certificates
 */
public record CertificatePolicy(
        Duration validity,
        Duration issuerValidity,
        Duration settle,
        Optional<Instant> renewMadeBefore) {
    /** An issuer is renewed when a third of its life is left: what it signs has to end by then. */
    private static final int PARTS = 3;

    public CertificatePolicy {
        if (validity.compareTo(issuerValidity.dividedBy(PARTS)) > 0) {
            throw new IllegalArgumentException(
                    "validity of certificates: "
                            + validity.toDays()
                            + " days (expected: at most a third of the issuer's, "
                            + issuerValidity.toDays()
                            + " days)");
        }
        if (settle.isNegative()) {
            throw new IllegalArgumentException("settle: " + settle + " (expected: 0s or more)");
        }
    }

    /** Whether a third of a life is left, or less. */
    static boolean isDue(Instant made, Instant ends, Instant now) {
        Duration left = Duration.between(made, ends).dividedBy(PARTS);
        return !now.isBefore(ends.minus(left));
    }

    boolean isDue(Issuer issuer, Instant now) {
        return isDue(issuer.made(), issuer.ends(), now)
                || renewMadeBefore.filter(issuer.made()::isBefore).isPresent();
    }
}
