package io.parterre.deploy.certs.kubernetes;

import io.parterre.deploy.certs.CertificateMaker;
import io.parterre.deploy.certs.Pem;
import io.parterre.deploy.certs.plan.Issuer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Optional;

/**
 * An issuer's certificate, with its key if the issuer signs or will sign. {@code toString} shows no
 * key.
 *
 * @param key never to be shown; empty if the issuer no longer signs
 */
record SigningKey(X509Certificate certificate, Optional<PrivateKey> key) {
    static SigningKey of(CertificateMaker.Issued made) {
        return new SigningKey(made.certificate(), Optional.of(made.key()));
    }

    /** Parses a certificate and its key, in the form of {@link Pem}. */
    static SigningKey parse(byte[] certificate, Optional<byte[]> key)
            throws GeneralSecurityException {
        X509Certificate read = Pem.certificates(certificate).get(0);
        return new SigningKey(
                read,
                key.isPresent()
                        ? Optional.of(Pem.privateKey(key.get(), read.getPublicKey().getAlgorithm()))
                        : Optional.empty());
    }

    /** Returns an id that identifies the certificate uniquely. */
    static String id(X509Certificate certificate) throws GeneralSecurityException {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
    }

    /** Returns the issuer for the planner. */
    Issuer issuer() throws GeneralSecurityException {
        return new Issuer(
                id(certificate),
                CertificateMaker.made(certificate),
                certificate.getNotAfter().toInstant());
    }

    CertificateMaker.Issued signer() throws GeneralSecurityException {
        return new CertificateMaker.Issued(
                certificate,
                key.orElseThrow(() -> new GeneralSecurityException("the issuer has no key")));
    }

    @Override
    public String toString() {
        return certificate.getSubjectX500Principal().toString();
    }
}
