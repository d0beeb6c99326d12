package io.parterre.deploy.certs.plan;

import java.time.Instant;

/**
 * An issuer, as its certificate shows it.
 *
 * @param id the same for the same certificate, and for no other
 * @param made when it was made
 * @param ends when nobody trusts it any more
 */
public record Issuer(String id, Instant made, Instant ends) {
    /** Whether nothing that it signs is valid. */
    boolean hasEnded(Instant now) {
        return !now.isBefore(ends);
    }
}
