package io.parterre.deploy.doctor;

import io.parterre.deploy.config.TlsSection;
import io.parterre.deploy.secret.KeyFileAccess;
import io.parterre.deploy.tls.ClusterTls;
import io.parterre.tls.CredentialFiles;
import io.parterre.tls.CredentialsException;
import io.parterre.tls.PeerName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks certificate files that a process on this machine would read. */
final class CertificateFilesCheck {
    private final Instant now;
    private final List<Finding> findings = new ArrayList<>();

    private CertificateFilesCheck(Instant now) {
        this.now = now;
    }

    /**
     * Checks the files for connections within the cluster.
     *
     * @param own names that the certificate must give the process; empty: any certificate
     */
    static List<Finding> ofCluster(TlsSection tls, List<PeerName> own, Instant now) {
        Optional<CredentialFiles> files = tls.files();
        if (files.isEmpty()) {
            return List.of();
        }
        CertificateFilesCheck check = new CertificateFilesCheck(now);
        check.ends("tls.certificateChain", files.get().certificateChain(), "other processes");
        files.get()
                .trustedCertificates()
                .ifPresent(
                        trusted ->
                                check.ends("tls.trustedCertificates", trusted, "processes here"));
        check.key("tls.privateKey", files.get().privateKey());
        check.usable(() -> ClusterTls.check(tls, own));
        return check.findings;
    }

    /** Checks the files of the certificate that clients are shown. */
    static List<Finding> ofTables(Path chain, Path key, Instant now) {
        CertificateFilesCheck check = new CertificateFilesCheck(now);
        check.ends("frontEnd.http.tls.certificateChain", chain, "clients");
        check.key("frontEnd.http.tls.privateKey", key);
        check.usable(
                () -> ClusterTls.checkForTables(new CredentialFiles(chain, key, Optional.empty())));
        return check.findings;
    }

    @FunctionalInterface
    private interface Reading {
        void run() throws CredentialsException;
    }

    /** Checks whether chain, key and issuers fit each other and the role. */
    private void usable(Reading reading) {
        boolean unreadable =
                findings.stream().anyMatch(each -> each.text().contains("cannot be read"));
        try {
            reading.run();
        } catch (CredentialsException refused) {
            if (!unreadable) {
                findings.add(Finding.problem(CertificateCheck.SUBJECT, refused.getMessage()));
            }
        }
    }

    private void key(String setting, Path file) {
        KeyFileAccess.warning(file)
                .ifPresent(
                        text ->
                                findings.add(
                                        Finding.warning(
                                                CertificateCheck.SUBJECT, setting + ": " + text)));
    }

    private void ends(String setting, Path file, String refusers) {
        try (InputStream in = Files.newInputStream(file)) {
            int count = 0;
            for (Certificate each :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                X509Certificate certificate = (X509Certificate) each;
                findings.add(
                        CertificateCheck.judge(
                                setting + " (" + certificate.getSubjectX500Principal() + ")",
                                certificate,
                                refusers,
                                now));
                count++;
            }
            if (count == 0) {
                findings.add(Finding.problem(CertificateCheck.SUBJECT, file + " holds none"));
            }
        } catch (IOException | CertificateException failure) {
            findings.add(
                    Finding.problem(
                            CertificateCheck.SUBJECT,
                            setting + ": " + file + " cannot be read: " + failure.getMessage()));
        }
    }
}
