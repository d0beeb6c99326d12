package io.parterre.deploy.certs;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates and keys as text. Keys are PKCS#8, not encrypted. Stateless. */
public final class Pem {
    private static final int LINE_CHARS = 64;
    private static final Pattern KEY =
            Pattern.compile(
                    "-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    private Pem() {}

    /** Returns the key as text, which must be kept secret. */
    public static String of(PrivateKey key) {
        return text("PRIVATE KEY", key.getEncoded());
    }

    /** Returns the certificates as text, one after the other. */
    public static String of(Collection<X509Certificate> certificates)
            throws CertificateEncodingException {
        StringBuilder all = new StringBuilder();
        for (X509Certificate each : certificates) {
            all.append(text("CERTIFICATE", each.getEncoded()));
        }
        return all.toString();
    }

    private static String text(String what, byte[] encoded) {
        String lines =
                Base64.getMimeEncoder(LINE_CHARS, "\n".getBytes(US_ASCII)).encodeToString(encoded);
        return "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n";
    }

    /**
     * Parses certificates, in their order.
     *
     * @throws GeneralSecurityException if there is none, or one cannot be read
     */
    public static List<X509Certificate> certificates(byte[] pem) throws GeneralSecurityException {
        List<X509Certificate> certificates =
                CertificateFactory.getInstance("X.509")
                        .generateCertificates(new ByteArrayInputStream(pem))
                        .stream()
                        .map(X509Certificate.class::cast)
                        .toList();
        if (certificates.isEmpty()) {
            throw new GeneralSecurityException("no certificates (expected: PEM, one or more)");
        }
        return certificates;
    }

    /**
     * Parses a key. The message of a failure quotes nothing of it.
     *
     * @param algorithm algorithm of the certificate's public key
     * @throws GeneralSecurityException if there is no key of the algorithm
     */
    public static PrivateKey privateKey(byte[] pem, String algorithm)
            throws GeneralSecurityException {
        Matcher found = KEY.matcher(new String(pem, US_ASCII));
        try {
            if (found.find()) {
                byte[] encoded = Base64.getMimeDecoder().decode(found.group(1));
                return KeyFactory.getInstance(algorithm)
                        .generatePrivate(new PKCS8EncodedKeySpec(encoded));
            }
        } catch (GeneralSecurityException | IllegalArgumentException unreadable) {
            throw noKey(algorithm);
        }
        throw noKey(algorithm);
    }

    private static GeneralSecurityException noKey(String algorithm) {
        return new GeneralSecurityException(
                "no private key for " + algorithm + " (expected: PEM, PKCS#8, not encrypted)");
    }
}
