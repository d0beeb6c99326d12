package io.parterre.deploy.certs;

import io.parterre.tls.PeerName;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.IPAddress;

/**
 * Makes keys on the curve P-256 and certificates for them.
 *
 * @param now start of the validity
 */
public record CertificateMaker(Instant now) {
    /**
     * Validity starts this much earlier, because clocks of the machines that verify it may be
     * behind.
     */
    private static final Duration BEFORE_NOW = Duration.ofMinutes(5);

    private static final String CURVE = "secp256r1";
    private static final int SERIAL_BITS = 127;
    private static final SecureRandom RANDOM = new SecureRandom();

    /**
     * A certificate and its key. {@code toString} shows no key.
     *
     * @param key never to be shown
     */
    public record Issued(X509Certificate certificate, PrivateKey key) {
        @Override
        public String toString() {
            return certificate.getSubjectX500Principal().toString();
        }
    }

    /** Returns when a certificate was made. */
    public static Instant made(X509Certificate certificate) {
        return certificate.getNotBefore().toInstant().plus(BEFORE_NOW);
    }

    /** Makes a self-signed issuer. */
    public Issued issuer(String name, Duration validity)
            throws GeneralSecurityException, IOException {
        KeyPair own = keys();
        X500Principal subject = subject(name);
        X509v3CertificateBuilder certificate =
                builder(subject, subject, own.getPublic(), validity)
                        .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                        .addExtension(
                                Extension.keyUsage,
                                true,
                                new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
                        .addExtension(
                                Extension.subjectKeyIdentifier,
                                false,
                                new JcaX509ExtensionUtils()
                                        .createSubjectKeyIdentifier(own.getPublic()));
        return new Issued(signed(certificate, own.getPrivate()), own.getPrivate());
    }

    /**
     * Makes a certificate for both ends of connections.
     *
     * @param roles roles that the holder may have
     * @param hosts names and addresses at which the holder is reached; if empty, only the role is
     *     verified
     */
    public Issued issue(
            Issued issuer, String name, List<PeerName> roles, List<String> hosts, Duration validity)
            throws GeneralSecurityException, IOException {
        KeyPair own = keys();
        JcaX509ExtensionUtils utilities = new JcaX509ExtensionUtils();
        X509v3CertificateBuilder certificate =
                builder(
                                issuer.certificate().getSubjectX500Principal(),
                                subject(name),
                                own.getPublic(),
                                validity)
                        .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                        .addExtension(
                                Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                        .addExtension(
                                Extension.extendedKeyUsage,
                                false,
                                new ExtendedKeyUsage(
                                        new KeyPurposeId[] {
                                            KeyPurposeId.id_kp_serverAuth,
                                            KeyPurposeId.id_kp_clientAuth
                                        }))
                        .addExtension(Extension.subjectAlternativeName, false, names(roles, hosts))
                        .addExtension(
                                Extension.subjectKeyIdentifier,
                                false,
                                utilities.createSubjectKeyIdentifier(own.getPublic()))
                        .addExtension(
                                Extension.authorityKeyIdentifier,
                                false,
                                utilities.createAuthorityKeyIdentifier(issuer.certificate()));
        return new Issued(signed(certificate, issuer.key()), own.getPrivate());
    }

    private static KeyPair keys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(CURVE), RANDOM);
        return generator.generateKeyPair();
    }

    private static X500Principal subject(String name) throws IOException {
        return new X500Principal(
                new X500NameBuilder(BCStyle.INSTANCE)
                        .addRDN(BCStyle.CN, name)
                        .build()
                        .getEncoded());
    }

    private X509v3CertificateBuilder builder(
            X500Principal issuer, X500Principal subject, PublicKey key, Duration validity) {
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(SERIAL_BITS, RANDOM).setBit(0),
                Date.from(now.minus(BEFORE_NOW)),
                Date.from(now.plus(validity)),
                subject,
                key);
    }

    private static GeneralNames names(List<PeerName> roles, List<String> hosts) {
        return new GeneralNames(
                Stream.concat(
                                roles.stream().map(CertificateMaker::role),
                                hosts.stream().map(CertificateMaker::host))
                        .toArray(GeneralName[]::new));
    }

    private static GeneralName role(PeerName role) {
        return new GeneralName(GeneralName.uniformResourceIdentifier, role.uri());
    }

    private static GeneralName host(String host) {
        return new GeneralName(
                IPAddress.isValid(host) ? GeneralName.iPAddress : GeneralName.dNSName, host);
    }

    private static X509Certificate signed(X509v3CertificateBuilder certificate, PrivateKey by)
            throws GeneralSecurityException {
        String algorithm =
                switch (by.getAlgorithm()) {
                    case "EC" -> "SHA256withECDSA";
                    case "RSA" -> "SHA256withRSA";
                    default -> by.getAlgorithm();
                };
        try {
            return new JcaX509CertificateConverter()
                    .getCertificate(
                            certificate.build(new JcaContentSignerBuilder(algorithm).build(by)));
        } catch (OperatorCreationException e) {
            throw new GeneralSecurityException("cannot sign with a key for " + algorithm, e);
        }
    }
}
