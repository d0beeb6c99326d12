package io.parterre.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The content of the files at one moment. Files are replaced one after the other. A certificate
 * that does not fit its key was read during a replacement, and is refused like any other fault.
 */
final class CredentialReader {
    private static final Pattern KEY =
            Pattern.compile(
                    "-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    private static final byte[] PROBE = "parterre".getBytes(StandardCharsets.US_ASCII);

    private final CredentialFiles files;
    private final byte[] chain;
    private final byte[] key;
    private final Optional<byte[]> trusted;

    private CredentialReader(CredentialFiles files) throws CredentialsException {
        this.files = files;
        this.chain = bytes(files.certificateChain());
        this.key = bytes(files.privateKey());
        this.trusted =
                files.trustedCertificates().isPresent()
                        ? Optional.of(bytes(files.trustedCertificates().get()))
                        : Optional.empty();
    }

    /**
     * Reads the files.
     *
     * @throws CredentialsException if one of them cannot be read
     */
    static CredentialReader read(CredentialFiles files) throws CredentialsException {
        return new CredentialReader(files);
    }

    private static byte[] bytes(Path file) throws CredentialsException {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new CredentialsException(file + ": no such file");
        } catch (AccessDeniedException e) {
            throw new CredentialsException(file + ": permission denied");
        } catch (IOException e) {
            throw new CredentialsException(file + ": cannot be read: " + e.getMessage());
        }
    }

    /** Returns a fingerprint that is equal for equal content only. */
    String fingerprint() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] each : List.of(chain, key, trusted.orElse(PROBE))) {
                digest.update(MessageDigest.getInstance("SHA-256").digest(each));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /**
     * Returns the credentials in the files.
     *
     * @throws CredentialsException if the files cannot be used
     */
    Credentials credentials() throws CredentialsException {
        List<X509Certificate> own = certificates(files.certificateChain(), chain);
        PrivateKey ownKey = privateKey(own.get(0).getPublicKey());
        List<X509Certificate> issuers =
                trusted.isPresent()
                        ? certificates(files.trustedCertificates().orElseThrow(), trusted.get())
                        : List.of();
        if (!fit(own.get(0).getPublicKey(), ownKey)) {
            throw new CredentialsException(
                    files.privateKey()
                            + ": not the key of the first certificate in "
                            + files.certificateChain());
        }
        try {
            return new Credentials(own, ownKey, issuers);
        } catch (GeneralSecurityException unusable) {
            throw new CredentialsException(
                    files.certificateChain() + ": cannot be used: " + unusable.getMessage());
        }
    }

    private static List<X509Certificate> certificates(Path file, byte[] pem)
            throws CredentialsException {
        List<X509Certificate> certificates;
        try {
            certificates =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(pem))
                            .stream()
                            .map(X509Certificate.class::cast)
                            .toList();
        } catch (CertificateException e) {
            certificates = List.of();
        }
        if (certificates.isEmpty()) {
            throw new CredentialsException(file + ": no certificates (expected: PEM, one or more)");
        }
        return certificates;
    }

    /** Exceptions of the parser are not passed on, because their messages could quote the key. */
    private PrivateKey privateKey(PublicKey counterpart) throws CredentialsException {
        Matcher pem = KEY.matcher(new String(key, StandardCharsets.ISO_8859_1));
        try {
            if (pem.find()) {
                byte[] encoded = Base64.getMimeDecoder().decode(pem.group(1));
                return KeyFactory.getInstance(counterpart.getAlgorithm())
                        .generatePrivate(new PKCS8EncodedKeySpec(encoded));
            }
        } catch (GeneralSecurityException | IllegalArgumentException unreadable) {
            throw noKey(counterpart);
        }
        throw noKey(counterpart);
    }

    private CredentialsException noKey(PublicKey counterpart) {
        return new CredentialsException(
                files.privateKey()
                        + ": no private key for "
                        + counterpart.getAlgorithm()
                        + " (expected: PEM, PKCS#8, not encrypted)");
    }

    private static boolean fit(PublicKey certified, PrivateKey own) {
        String algorithm =
                switch (certified.getAlgorithm()) {
                    case "EC" -> "SHA256withECDSA";
                    case "RSA" -> "SHA256withRSA";
                    default -> certified.getAlgorithm();
                };
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(own);
            signing.update(PROBE);
            Signature verifying = Signature.getInstance(algorithm);
            verifying.initVerify(certified);
            verifying.update(PROBE);
            return verifying.verify(signing.sign());
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
