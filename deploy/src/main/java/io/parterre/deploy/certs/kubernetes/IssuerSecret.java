package io.parterre.deploy.certs.kubernetes;

import io.parterre.deploy.certs.Pem;
import io.parterre.deploy.certs.plan.Issuer;
import io.parterre.deploy.certs.plan.Issuers;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The issuers of a cluster as stored in their Secret: {@code tls.crt} and {@code tls.key} of the
 * current one, {@code next.crt} and {@code next.key}, and {@code previous.crt}. {@code toString}
 * shows no key.
 */
record IssuerSecret(SigningKey current, Optional<SigningKey> next, Optional<SigningKey> previous) {
    private static final String CURRENT = "tls";
    private static final String NEXT = "next";
    private static final String PREVIOUS = "previous";

    /** Returns the contents with only the first issuer. */
    static IssuerSecret first(SigningKey issuer) {
        return new IssuerSecret(issuer, Optional.empty(), Optional.empty());
    }

    IssuerSecret with(SigningKey nextIssuer) {
        return new IssuerSecret(current, Optional.of(nextIssuer), previous);
    }

    IssuerSecret promoted() {
        return new IssuerSecret(
                next.orElseThrow(),
                Optional.empty(),
                Optional.of(new SigningKey(current.certificate(), Optional.empty())));
    }

    IssuerSecret withoutPrevious() {
        return new IssuerSecret(current, next, Optional.empty());
    }

    /**
     * Parses a Secret's data.
     *
     * @throws GeneralSecurityException if the data are no issuers
     */
    static IssuerSecret parse(Secret secret) throws GeneralSecurityException {
        SigningKey current =
                read(secret, CURRENT)
                        .filter(each -> each.key().isPresent())
                        .orElseThrow(() -> new GeneralSecurityException("no tls.crt with tls.key"));
        return new IssuerSecret(current, read(secret, NEXT), read(secret, PREVIOUS));
    }

    private static Optional<SigningKey> read(Secret secret, String name)
            throws GeneralSecurityException {
        Optional<byte[]> certificate = secret.value(name + ".crt");
        return certificate.isPresent()
                ? Optional.of(SigningKey.parse(certificate.get(), secret.value(name + ".key")))
                : Optional.empty();
    }

    /** Returns all data of the Secret; keys to be removed have empty values. */
    Map<String, Optional<byte[]>> data() throws GeneralSecurityException {
        Map<String, Optional<byte[]>> data = new HashMap<>();
        put(data, CURRENT, Optional.of(current));
        put(data, NEXT, next);
        put(data, PREVIOUS, previous);
        return data;
    }

    private static void put(
            Map<String, Optional<byte[]>> data, String name, Optional<SigningKey> issuer)
            throws GeneralSecurityException {
        data.put(
                name + ".crt",
                issuer.isPresent()
                        ? Secret.text(Pem.of(List.of(issuer.get().certificate())))
                        : Optional.empty());
        data.put(name + ".key", issuer.flatMap(SigningKey::key).map(Pem::of).flatMap(Secret::text));
    }

    /** Returns the issuers for the planner. */
    Issuers issuers() throws GeneralSecurityException {
        return new Issuers(current.issuer(), issuer(next), issuer(previous));
    }

    private static Optional<Issuer> issuer(Optional<SigningKey> key)
            throws GeneralSecurityException {
        return key.isPresent() ? Optional.of(key.get().issuer()) : Optional.empty();
    }

    /** Returns the certificates that processes must trust, the signing one first. */
    List<X509Certificate> trusted() {
        List<X509Certificate> trusted = new ArrayList<>(List.of(current.certificate()));
        next.map(SigningKey::certificate).ifPresent(trusted::add);
        previous.map(SigningKey::certificate).ifPresent(trusted::add);
        return trusted;
    }

    @Override
    public String toString() {
        return "issuer " + current;
    }
}
