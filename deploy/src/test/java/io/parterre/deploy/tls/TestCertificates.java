package io.parterre.deploy.tls;

import io.parterre.deploy.certs.CertificateFolder;
import io.parterre.deploy.config.TlsSection;
import io.parterre.tls.CredentialFiles;
import io.parterre.tls.PeerName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** An issuer that a test makes, and what it issues. */
public final class TestCertificates {
    private static final Duration INTERVAL = Duration.ofMillis(100);
    private static final Duration VALIDITY = Duration.ofDays(1);

    private final Path folder;

    /** Issues in this folder. */
    public TestCertificates(Path folder) {
        this.folder = folder;
        at(Instant.now()).makeIssuer("test", VALIDITY);
    }

    private CertificateFolder at(Instant now) {
        return new CertificateFolder(folder, InstantSource.fixed(now));
    }

    /** Files of a certificate for loopback. */
    public CredentialFiles issue(String name, PeerName... roles) {
        return issue(name, List.of("127.0.0.1"), roles);
    }

    /** Files of a certificate for these hosts. */
    public CredentialFiles issue(String name, List<String> hosts, PeerName... roles) {
        at(Instant.now()).issue(name, List.of(roles), hosts, VALIDITY);
        return at(Instant.now()).files(name);
    }

    /** Files of one that ended before today. */
    public CredentialFiles expired(String name, PeerName... roles) {
        Instant then = Instant.now().minus(Duration.ofDays(9));
        at(then).issue(name, List.of(roles), List.of("127.0.0.1"), VALIDITY);
        return at(then).files(name);
    }

    /** What is trusted where only this issuer is. */
    public Path trusted() {
        return at(Instant.now()).trusted();
    }

    /** The same files with other issuers to trust. */
    public static CredentialFiles trusting(CredentialFiles files, Path trusted) {
        return new CredentialFiles(
                files.certificateChain(), files.privateKey(), Optional.of(trusted));
    }

    /** Settings of a process with these files, which it reads often. */
    public static TlsSection settings(CredentialFiles files) {
        return new TlsSection(
                Optional.of(files.certificateChain()),
                Optional.of(files.privateKey()),
                files.trustedCertificates(),
                INTERVAL,
                true);
    }

    /** Puts one file in the place of another at once. */
    public static void replace(Path file, Path by) {
        try {
            Path unfinished = file.resolveSibling(file.getFileName() + ".new");
            Files.copy(by, unfinished, StandardCopyOption.REPLACE_EXISTING);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
