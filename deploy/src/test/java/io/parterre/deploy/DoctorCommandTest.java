package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code doctor}. */
class DoctorCommandTest extends OperatorShell {
    @TempDir Path folder;

    private String settings(String... lines) throws IOException {
        Path file = folder.resolve("parterre.yaml");
        Files.write(
                file,
                Stream.concat(
                                Stream.of("admin: {port: 0}", "dataDir: " + folder.resolve("data")),
                                Stream.of(lines))
                        .toList());
        return "--config=" + file;
    }

    @Test
    void healthyMachineHasNoProblem_beforeEmbeddedStart() throws IOException {
        String config = settings("frontEnd: {http: {port: 0}}");
        assertThat(run("doctor", config)).as(out + " " + err).isZero();
        assertThat(out.toString())
                .contains("settings")
                .contains("disk sync")
                .contains("open files")
                .contains("0 problems");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).hasSize(1);
        }
    }

    @Test
    void allWrongSettingsAreProblems() throws IOException {
        String config = settings("log: {level: loud}", "frontEnd: {nonsense: 1}");
        assertThat(run("doctor", config)).isEqualTo(ExitCode.FAILED.code());
        assertThat(out.toString())
                .contains("log.level")
                .contains("frontEnd.nonsense")
                .contains("2 problems, 0 warnings");
    }

    @Test
    void missingSettingsOfRoleAreProblems() throws IOException {
        assertThat(run("doctor", settings(), "--role=partition-server"))
                .isEqualTo(ExitCode.FAILED.code());
        assertThat(out.toString()).contains("cluster.managers: none (expected:");
    }

    @Test
    void takenAddressIsProblem() throws IOException {
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
            String config = settings("frontEnd: {http: {port: " + taken.getLocalPort() + "}}");
            assertThat(run("doctor", config)).isEqualTo(ExitCode.FAILED.code());
            assertThat(out.toString())
                    .contains("cannot listen on 127.0.0.1:" + taken.getLocalPort())
                    .contains("1 problem,");
        }
    }

    @Test
    void foreignFolderIsProblem() throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(data.resolve("notes.txt"), "not ours");
        assertThat(run("doctor", settings("frontEnd: {http: {port: 0}}")))
                .isEqualTo(ExitCode.FAILED.code());
        assertThat(out.toString()).containsPattern("problem +folder");
    }

    @Test
    void unreadableCertificateIsProblem() throws IOException {
        Path file = Files.writeString(folder.resolve("tls.pem"), "no certificate");
        String config =
                settings(
                        "frontEnd: {http: {port: 0, tls: {certificateChain: "
                                + file
                                + ", privateKey: "
                                + file
                                + "}}}");
        assertThat(run("doctor", config)).isEqualTo(ExitCode.FAILED.code());
        assertThat(out.toString()).containsPattern("problem +certificate");
    }

    @Test
    void clusterIsLookedAt_whenManagersAreGiven() throws IOException {
        String config = settings("frontEnd: {http: {port: 0}}");
        run("doctor", config, "--manager=m1:1,m2:2");
        assertThat(out.toString())
                .containsPattern("warning +managers +nothing is heard of m3")
                .containsPattern("warning +servers +1 dead, 0 suspect")
                .containsPattern("warning +releases");
    }

    @Test
    void unreachableManagersAreProblem() throws IOException {
        String config = settings("frontEnd: {http: {port: 0}}");
        assertThat(run("doctor", config, "--manager=m9:9", "--timeout=1"))
                .isEqualTo(ExitCode.FAILED.code());
        assertThat(out.toString()).containsPattern("problem +cluster +no partition manager");
    }

    @Test
    void findingsArePrintedAsJson() throws IOException {
        assertThat(run("doctor", settings("frontEnd: {http: {port: 0}}"), "--json")).isZero();
        JsonNode findings = new ObjectMapper().readTree(out.toString());
        assertThat(findings.isArray()).isTrue();
        assertThat(findings.get(0).get("level").asText()).isEqualTo("OK");
        assertThat(findings.get(0).get("subject").asText()).isEqualTo("settings");
    }

    @Test
    void unknownRoleIsRejected() throws IOException {
        assertThat(run("doctor", settings(), "--role=boss")).isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString()).contains("--role: 'boss' (expected: embedded,");
    }
}
