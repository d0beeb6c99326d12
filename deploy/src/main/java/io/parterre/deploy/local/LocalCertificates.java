package io.parterre.deploy.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parterre.deploy.certs.CertificateFolder;
import io.parterre.deploy.node.RoleName;
import io.parterre.tls.CredentialFiles;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Certificates of a cluster on this machine: its own issuer, one certificate for each process, one
 * for its operator. Users who may write to the cluster's folder are trusted anyway, so the issuer's
 * key is there as well. Stateless.
 */
final class LocalCertificates {
    private static final Duration VALIDITY = Duration.ofDays(3_650);
    private static final String ISSUER_NAME = "parterre local cluster";

    /** Name of the operator's certificate, an admin's because the machine is the operator's own. */
    private static final String OPERATOR = "operator";

    private LocalCertificates() {}

    private static CertificateFolder in(Path cluster) {
        return new CertificateFolder(cluster.resolve("certificates"), InstantSource.system());
    }

    /** Returns whether processes of the cluster have certificates. */
    static boolean areIn(Path cluster) {
        return in(cluster).hasIssuer();
    }

    /** Makes all certificates. */
    static void make(Path cluster, List<LocalNode> nodes) {
        in(cluster).makeIssuer(ISSUER_NAME, VALIDITY);
        nodes.forEach(node -> add(cluster, node));
        in(cluster)
                .issue(
                        OPERATOR,
                        List.of(PeerName.of(PeerRole.ADMIN, "local")),
                        List.of(),
                        VALIDITY);
    }

    /** Makes the certificate of one process. */
    static void add(Path cluster, LocalNode node) {
        in(cluster)
                .issue(
                        node.name(),
                        List.of(PeerName.of(role(node.role()), node.name())),
                        List.of(node.host()),
                        VALIDITY);
    }

    private static PeerRole role(RoleName role) {
        return switch (role) {
            case PARTITION_MANAGER -> PeerRole.MANAGER;
            case PARTITION_SERVER -> PeerRole.SERVER;
            case FRONT_END -> PeerRole.FRONT_END;
        };
    }

    /** Returns the files of a process's certificate; empty if the process uses plain text. */
    static Optional<CredentialFiles> of(Path cluster, LocalNode node) {
        return files(cluster, node.name());
    }

    /** Returns the files of the operator's certificate; empty if operators use plain text. */
    static Optional<CredentialFiles> ofOperator(Path cluster) {
        return files(cluster, OPERATOR);
    }

    private static Optional<CredentialFiles> files(Path cluster, String name) {
        return areIn(cluster) ? Optional.of(in(cluster).files(name)) : Optional.empty();
    }

    /** Adds the files to settings. */
    static void write(CredentialFiles files, ObjectNode settings) {
        settings.putObject("tls")
                .put("certificateChain", files.certificateChain().toString())
                .put("privateKey", files.privateKey().toString())
                .put("trustedCertificates", files.trustedCertificates().orElseThrow().toString());
    }
}
