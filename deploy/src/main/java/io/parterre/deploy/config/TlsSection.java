package io.parterre.deploy.config;

import io.parterre.tls.CredentialFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Keys of TLS between processes of a cluster and for operators' commands.
 *
 * @param certificateChain PEM, the process's own certificate first; absent: plain text
 * @param privateKey PEM, PKCS#8, not encrypted
 * @param trustedCertificates PEM, issuers of the others' certificates
 * @param refreshInterval time between two reads of these and of the front end's files
 * @param verifyHost whether a certificate that names hosts must name the connected one
 */
public record TlsSection(
        Optional<Path> certificateChain,
        Optional<Path> privateKey,
        Optional<Path> trustedCertificates,
        Duration refreshInterval,
        boolean verifyHost) {
    private static final Duration INTERVAL_MIN = Duration.ofMillis(100);
    private static final Duration INTERVAL_MAX = Duration.ofHours(24);

    /** Plain text. */
    public static final TlsSection DEFAULT =
            new TlsSection(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Duration.ofSeconds(10),
                    true);

    public TlsSection {
        long given =
                Stream.of(certificateChain, privateKey, trustedCertificates)
                        .filter(Optional::isPresent)
                        .count();
        if (given != 0 && given != 3) {
            throw new IllegalArgumentException(
                    missing(certificateChain, privateKey)
                            + ": missing (expected: set like its kin)");
        }
        if (refreshInterval.compareTo(INTERVAL_MIN) < 0
                || refreshInterval.compareTo(INTERVAL_MAX) > 0) {
            throw new IllegalArgumentException(
                    "refreshInterval: " + refreshInterval + " (expected: 100ms to 24h)");
        }
    }

    private static String missing(Optional<Path> certificateChain, Optional<Path> privateKey) {
        if (certificateChain.isEmpty()) {
            return "certificateChain";
        }
        return privateKey.isEmpty() ? "privateKey" : "trustedCertificates";
    }

    /** Returns the files to read; empty for plain text. */
    public Optional<CredentialFiles> files() {
        return certificateChain.map(
                chain -> new CredentialFiles(chain, privateKey.orElseThrow(), trustedCertificates));
    }
}
