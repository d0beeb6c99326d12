package io.parterre.deploy.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.deploy.certs.CertificateFolder;
import io.parterre.deploy.config.SecretsSection;
import io.parterre.deploy.config.TlsSection;
import io.parterre.deploy.doctor.Finding.Level;
import io.parterre.proto.admin.KeyStorage;
import io.parterre.proto.admin.ListAccountsResponse;
import io.parterre.tls.CredentialFiles;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of files with certificates and keys. */
class SecretFilesTest {
    private static final Instant NOW = Instant.parse("2026-11-02T00:00:00Z");
    private static final Duration YEAR = Duration.ofDays(365);

    @TempDir private Path folder;
    private CertificateFolder certificates;

    @BeforeEach
    void makeIssuer() {
        certificates = new CertificateFolder(folder.resolve("pki"), InstantSource.fixed(NOW));
        certificates.makeIssuer("issuer", YEAR);
        certificates.issue("m1", List.of(PeerName.of(PeerRole.MANAGER, "m1")), List.of("h1"), YEAR);
    }

    private List<Finding> look(String name, PeerName own, Instant now) {
        CredentialFiles files = certificates.files(name);
        TlsSection tls =
                new TlsSection(
                        Optional.of(files.certificateChain()),
                        Optional.of(files.privateKey()),
                        files.trustedCertificates(),
                        Duration.ofSeconds(10),
                        true);
        return CertificateFilesCheck.ofCluster(tls, List.of(own), now);
    }

    private static List<String> worse(List<Finding> findings) {
        return findings.stream()
                .filter(each -> each.level() != Level.OK)
                .map(each -> each.level() + " " + each.text())
                .toList();
    }

    private static PeerName manager(String id) {
        return PeerName.of(PeerRole.MANAGER, id);
    }

    @Test
    void fittingCertificatesAreFine() {
        List<Finding> findings = look("m1", manager("m1"), NOW.plusSeconds(60));
        assertThat(worse(findings)).isEmpty();
        assertThat(findings).hasSize(2).allMatch(each -> each.text().contains(" ends at "));
    }

    @Test
    void endOfCertificateAndOfIssuerIsWarnedOf() {
        assertThat(worse(look("m1", manager("m1"), NOW.plus(YEAR).minus(Duration.ofDays(9)))))
                .hasSize(2)
                .allMatch(text -> text.startsWith("WARNING tls.") && text.contains("days"));
        assertThat(worse(look("m1", manager("m1"), NOW.plus(YEAR).plusSeconds(1))))
                .hasSize(2)
                .allMatch(text -> text.startsWith("PROBLEM tls.") && text.contains("has ended"));
    }

    @Test
    void certificateOfAnotherRoleOrIdIsProblem() {
        assertThat(worse(look("m1", manager("m2"), NOW.plusSeconds(60))))
                .singleElement()
                .asString()
                .startsWith("PROBLEM")
                .contains("m2");
        PeerName server = PeerName.any(PeerRole.SERVER);
        assertThat(worse(look("m1", server, NOW.plusSeconds(60))))
                .singleElement()
                .asString()
                .startsWith("PROBLEM")
                .contains("server");
    }

    @Test
    void keyOfAnotherCertificateIsProblem() throws IOException {
        certificates.issue("m2", List.of(manager("m2")), List.of("h2"), YEAR);
        Files.copy(
                certificates.files("m2").privateKey(),
                certificates.files("m1").privateKey(),
                StandardCopyOption.REPLACE_EXISTING);
        assertThat(worse(look("m1", manager("m1"), NOW.plusSeconds(60))))
                .singleElement()
                .asString()
                .startsWith("PROBLEM")
                .contains("not the key of the first certificate");
    }

    @Test
    void keyThatOthersReadIsWarnedOf() throws IOException {
        Files.setPosixFilePermissions(
                certificates.files("m1").privateKey(),
                PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(worse(look("m1", manager("m1"), NOW.plusSeconds(60))))
                .singleElement()
                .asString()
                .startsWith("WARNING tls.privateKey: ")
                .contains("every user of this machine may read the key");
    }

    @Test
    void missingFileIsToldOnce() throws IOException {
        Files.delete(certificates.files("m1").certificateChain());
        assertThat(worse(look("m1", manager("m1"), NOW.plusSeconds(60))))
                .singleElement()
                .asString()
                .startsWith("PROBLEM tls.certificateChain")
                .contains("cannot be read");
    }

    private static List<Finding> lookAtKeys(Path file) {
        return SecretsCheck.here(new SecretsSection(Optional.of(file), "", Duration.ofSeconds(1)));
    }

    @Test
    void fileOfEncryptionKeysIsJudged() throws IOException {
        Path file = Files.writeString(folder.resolve("encryption.key"), "00".repeat(32));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(worse(lookAtKeys(file))).isEmpty();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(worse(lookAtKeys(file)))
                .singleElement()
                .asString()
                .startsWith("WARNING secrets.keyFile");
        Files.writeString(file, "no key");
        assertThat(worse(lookAtKeys(file))).anyMatch(text -> text.contains("line 1 is no key"));
        assertThat(worse(lookAtKeys(folder.resolve("missing")))).hasSize(1);
        assertThat(SecretsCheck.here(SecretsSection.DEFAULT)).isEmpty();
    }

    private static ListAccountsResponse accounts(String preferred, String hindrance, String... is) {
        return ListAccountsResponse.newBuilder()
                .setEncryptionKeyId(preferred)
                .setEncryptionHindrance(hindrance)
                .addKeyStorage(KeyStorage.newBuilder().addAllEncryptionKeyIds(List.of(is)))
                .build();
    }

    @Test
    void accountKeysAreJudged_byTheKeyThatShouldEncryptThem() {
        assertThat(SecretsCheck.cluster(accounts("", "", ""))).as("none is meant").isEmpty();
        assertThat(worse(SecretsCheck.cluster(accounts("k1", "", "k1", "k1")))).isEmpty();
        assertThat(worse(SecretsCheck.cluster(accounts("k1", "m2 lacks it", "", "k1"))))
                .containsExactly("WARNING 1 are not encrypted with key k1: m2 lacks it");
    }
}
