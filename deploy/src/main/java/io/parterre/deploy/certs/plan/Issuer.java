package io.parterre.deploy.certs.plan;

import java.time.Instant;

/**
 * An issuer, as described by its certificate.
 *
 * @param id identifies the certificate uniquely
 * @param made when the issuer was made
 * @param ends when its validity ends
 */
public record Issuer(String id, Instant made, Instant ends) {
    /** Returns whether nothing that the issuer has signed is valid any more. */
    boolean hasEnded(Instant now) {
        return !now.isBefore(ends);
    }
}
