package io.parterre.tls;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Files of a process's own certificate and of the issuers that it trusts. Immutable.
 *
 * @param certificateChain PEM, the process's own certificate first
 * @param privateKey PEM, PKCS#8, not encrypted
 * @param trustedCertificates PEM, issuers of the peers' certificates; empty: peers have no
 *     certificates
 */
public record CredentialFiles(
        Path certificateChain, Path privateKey, Optional<Path> trustedCertificates) {}
