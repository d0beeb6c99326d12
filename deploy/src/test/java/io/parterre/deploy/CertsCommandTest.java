package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.tls.CredentialFiles;
import io.parterre.tls.Credentials;
import io.parterre.tls.PeerIdentity;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code parterre certs} makes and refuses. */
class CertsCommandTest {
    @TempDir private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Launcher.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private Credentials made(String name) throws Exception {
        return Credentials.read(
                new CredentialFiles(
                        folder.resolve(name + ".crt"),
                        folder.resolve(name + ".key"),
                        Optional.of(folder.resolve("ca.crt"))));
    }

    @Test
    void certificatesSayWhoTheirHoldersAre() throws Exception {
        String dir = folder.toString();
        assertThat(run("certs", "ca", dir)).isZero();
        assertThat(
                        run(
                                "certs",
                                "node",
                                dir,
                                "--role=server",
                                "--id=s1",
                                "--host=10.0.0.4",
                                "--host=s1.example.com",
                                "--days=2"))
                .isZero();
        assertThat(out.toString()).contains("  privateKey: " + folder.resolve("server-s1.key"));
        Credentials server = made("server-s1");
        assertThat(server.identity())
                .isEqualTo(new PeerIdentity(Set.of(PeerName.of(PeerRole.SERVER, "s1"))));
        assertThat(server.chain().get(0).getSubjectAlternativeNames())
                .anySatisfy(name -> assertThat(name.get(1)).isEqualTo("10.0.0.4"))
                .anySatisfy(name -> assertThat(name.get(1)).isEqualTo("s1.example.com"));
        assertThat(Duration.between(Instant.now(), server.expiry()))
                .isBetween(Duration.ofHours(47), Duration.ofHours(48));

        assertThat(run("certs", "operator", dir, "--name=alice", "--role=viewer")).isZero();
        assertThat(made("viewer-alice").identity())
                .isEqualTo(new PeerIdentity(Set.of(PeerName.of(PeerRole.VIEWER, "alice"))));

        assertThat(run("certs", "node", dir, "--role=manager", "--role=server")).isZero();
        assertThat(made("manager").identity()).hasToString("manager and server");
        made("manager").chain().get(0).verify(made("ca").chain().get(0).getPublicKey());
    }

    @Test
    void nothingIsOverwritten() throws Exception {
        String dir = folder.toString();
        assertThat(run("certs", "ca", dir)).isZero();
        String key = Files.readString(folder.resolve("ca.key"));
        assertThat(run("certs", "ca", dir)).isEqualTo(ExitCode.FAILED.code());
        assertThat(err.toString())
                .contains("ca.crt: is there already (expected: a new name or folder)");
        assertThat(Files.readString(folder.resolve("ca.key"))).isEqualTo(key);
    }

    @Test
    void wrongArgumentsAreRefused_withWhatIsExpected() {
        String dir = folder.toString();
        assertThat(run("certs", "node", dir, "--role=server")).isEqualTo(ExitCode.FAILED.code());
        assertThat(err.toString()).contains("ca.crt: no such file");
        assertThat(run("certs", "node", dir, "--role=admin")).isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString())
                .contains("--role: 'admin' (expected: manager, server, front-end)");
        assertThat(run("certs", "operator", dir, "--name=a/b")).isEqualTo(ExitCode.USAGE.code());
        assertThat(run("certs", "kubernetes", "--issuer-secret=a", "--certificate=b"))
                .isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString())
                .contains("--certificate: 'b' (expected: SECRET=ROLE[/ID][,HOST...])");
        assertThat(run("certs", "kubernetes", "--issuer-secret=a", "--certificate=b=chef"))
                .isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString()).contains("--certificate: 'chef' (expected: manager, server,");
        assertThat(
                        run(
                                "certs",
                                "kubernetes",
                                "--issuer-secret=a",
                                "--certificate=b=server",
                                "--issuer-days=200"))
                .isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString())
                .contains("90 days (expected: at most a third of the issuer's, 200 days)");
        assertThat(run("certs", "kubernetes", "--issuer-secret=a", "--certificate=b=server"))
                .isEqualTo(ExitCode.FAILED.code());
        assertThat(err.toString()).contains("no KUBERNETES_SERVICE_HOST in the environment");
        assertThat(run("certs", "ca", dir, "--days=0")).isEqualTo(ExitCode.USAGE.code());
    }
}
