package io.parterre.deploy.certs.kubernetes;

import io.parterre.deploy.certs.plan.HeldCertificate;
import io.parterre.deploy.certs.plan.Issuers;
import io.parterre.deploy.certs.plan.WantedCertificate;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All Secrets of a cluster's certificates as read.
 *
 * @param versions versions of the existing Secrets, by name
 */
record SecretsState(
        Optional<IssuerSecret> issuers,
        Map<String, HeldCertificate> held,
        Map<String, String> versions) {
    /** Annotation with the time of the last write; also marks the Secrets that are ours. */
    static final String CHANGED = "parterre.io/changed-at";

    /**
     * Reads the Secrets.
     *
     * @throws SecretsException if a Secret is not ours, or the issuers cannot be read
     */
    static SecretsState read(SecretsApi api, CertificateOrder order) throws InterruptedException {
        Map<String, String> versions = new HashMap<>();
        Optional<Secret> kept = api.read(order.issuerSecret());
        Optional<IssuerSecret> issuers = Optional.empty();
        if (kept.isPresent()) {
            changed(kept.get());
            versions.put(order.issuerSecret(), kept.get().version().orElseThrow());
            issuers = Optional.of(issuers(kept.get()));
        }
        List<X509Certificate> known = issuers.map(IssuerSecret::trusted).orElse(List.of());
        Map<String, HeldCertificate> held = new HashMap<>();
        for (WantedCertificate each : order.wanted()) {
            Optional<Secret> secret = api.read(each.secret());
            if (secret.isPresent()) {
                held.put(
                        each.secret(), RoleSecret.held(secret.get(), known, changed(secret.get())));
                versions.put(each.secret(), secret.get().version().orElseThrow());
            }
        }
        return new SecretsState(issuers, held, versions);
    }

    private static Instant changed(Secret secret) {
        try {
            return Instant.parse(secret.annotations().getOrDefault(CHANGED, ""));
        } catch (DateTimeException absent) {
            throw new SecretsException(
                    "secret "
                            + secret.name()
                            + ": not made by this command (expected: annotation "
                            + CHANGED
                            + "; delete the secret, or name another)");
        }
    }

    private static IssuerSecret issuers(Secret secret) {
        try {
            return IssuerSecret.parse(secret);
        } catch (GeneralSecurityException e) {
            throw new SecretsException(
                    "secret "
                            + secret.name()
                            + ": no issuer: "
                            + e.getMessage()
                            + " (expected: what this command has written; without it all"
                            + " certificates and the secret are to be deleted, and all processes"
                            + " restarted)");
        }
    }

    /** Returns the issuers for the planner. */
    Optional<Issuers> planned() {
        try {
            return issuers.isPresent() ? Optional.of(issuers.get().issuers()) : Optional.empty();
        } catch (GeneralSecurityException e) {
            throw new SecretsException("the issuer cannot be used: " + e.getMessage(), e);
        }
    }
}
