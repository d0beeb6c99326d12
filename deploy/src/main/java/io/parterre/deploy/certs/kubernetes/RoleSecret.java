package io.parterre.deploy.certs.kubernetes;

import io.parterre.deploy.certs.CertificateMaker;
import io.parterre.deploy.certs.Pem;
import io.parterre.deploy.certs.plan.HeldCertificate;
import io.parterre.tls.PeerIdentity;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The contents of a certificate's Secret: {@code tls.crt}, {@code tls.key}, {@code ca.crt}. */
final class RoleSecret {
    static final String CERTIFICATE = "tls.crt";
    static final String KEY = "tls.key";
    static final String TRUSTED = "ca.crt";

    private static final Set<Integer> HOST_KINDS = Set.of(2, 7);

    private RoleSecret() {}

    /**
     * Parses a Secret for the planner.
     *
     * @param issuers issuers that may have signed the certificate
     * @param changed when the Secret was last written
     */
    static HeldCertificate held(
            Secret secret, Collection<X509Certificate> issuers, Instant changed) {
        Set<String> trusted = new HashSet<>();
        try {
            for (X509Certificate each : Pem.certificates(bytes(secret, TRUSTED))) {
                trusted.add(SigningKey.id(each));
            }
        } catch (GeneralSecurityException unreadable) {
            trusted.clear();
        }
        return new HeldCertificate(shown(secret, issuers), trusted, changed);
    }

    private static Optional<HeldCertificate.Shown> shown(
            Secret secret, Collection<X509Certificate> issuers) {
        try {
            X509Certificate own = Pem.certificates(bytes(secret, CERTIFICATE)).get(0);
            Pem.privateKey(bytes(secret, KEY), own.getPublicKey().getAlgorithm());
            return Optional.of(
                    new HeldCertificate.Shown(
                            PeerIdentity.of(own).names(),
                            hosts(own),
                            signer(own, issuers),
                            CertificateMaker.made(own),
                            own.getNotAfter().toInstant()));
        } catch (GeneralSecurityException unreadable) {
            return Optional.empty();
        }
    }

    private static byte[] bytes(Secret secret, String key) throws GeneralSecurityException {
        return secret.value(key).orElseThrow(() -> new GeneralSecurityException("no " + key));
    }

    private static Set<String> hosts(X509Certificate certificate) throws GeneralSecurityException {
        Collection<List<?>> names = certificate.getSubjectAlternativeNames();
        return names == null
                ? Set.of()
                : names.stream()
                        .filter(each -> HOST_KINDS.contains(each.get(0)))
                        .map(each -> String.valueOf(each.get(1)))
                        .collect(Collectors.toSet());
    }

    private static Optional<String> signer(
            X509Certificate certificate, Collection<X509Certificate> issuers)
            throws GeneralSecurityException {
        for (X509Certificate each : issuers) {
            try {
                certificate.verify(each.getPublicKey());
                return Optional.of(SigningKey.id(each));
            } catch (GeneralSecurityException another) {
                continue;
            }
        }
        return Optional.empty();
    }
}
