package io.parterre.deploy.certs.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Lifetimes of certificates.
 *
 * @param validity validity of certificates
 * @param issuerValidity validity of issuers
 * @param settle time within which each process reads a changed Secret
 * @param renewMadeBefore an issuer made before this time is renewed whatever its age, and all
 *     certificates with it
 */
public record CertificatePolicy(
        Duration validity,
        Duration issuerValidity,
        Duration settle,
        Optional<Instant> renewMadeBefore) {
    /**
     * An issuer is renewed when a third of its life is left, so the certificates that it signs must
     * end by then.
     */
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

    /** Returns whether at most a third of a life is left. */
    static boolean isDue(Instant made, Instant ends, Instant now) {
        Duration left = Duration.between(made, ends).dividedBy(PARTS);
        return !now.isBefore(ends.minus(left));
    }

    boolean isDue(Issuer issuer, Instant now) {
        return isDue(issuer.made(), issuer.ends(), now)
                || renewMadeBefore.filter(issuer.made()::isBefore).isPresent();
    }
}
