package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.deploy.certs.kubernetes.FakeSecrets;
import io.parterre.tls.CredentialFiles;
import io.parterre.tls.Credentials;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import io.parterre.tls.PeerRule;
import io.parterre.tls.WatchedCredentials;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code parterre certs kubernetes}, and what processes do with what it makes. */
class CertsKubernetesIT {
    private static final String POD = "t-server-7.t-server.tables.svc.cluster.local";
    private static final Duration NEVER_AGAIN = Duration.ofHours(1);
    private static final PeerName SERVER = PeerName.of(PeerRole.SERVER, "t-server-7");

    @TempDir private Path folder;
    private FakeSecrets api;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void start() throws Exception {
        api = new FakeSecrets(folder);
    }

    @AfterEach
    void stop() {
        api.close();
    }

    private int run(String... more) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "certs",
                                "kubernetes",
                                "--issuer-secret=t-ca",
                                "--certificate=t-server-tls=server,*.t-server.tables.svc.cluster.local",
                                "--certificate=t-front-end-tls=front-end",
                                "--api-server=" + api.address(),
                                "--service-account-dir=" + api.account()));
        arguments.addAll(Arrays.asList(more));
        return Launcher.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.toArray(String[]::new));
    }

    /** What a process reads of a Secret. */
    private WatchedCredentials holder(String secret, PeerRule own) {
        Path mounted = folder.resolve(secret);
        try {
            Files.createDirectories(mounted);
            for (String key : List.of("tls.crt", "tls.key", "ca.crt")) {
                Files.write(mounted.resolve(key), api.data(secret).get(key));
            }
            return WatchedCredentials.open(
                    new CredentialFiles(
                            mounted.resolve("tls.crt"),
                            mounted.resolve("tls.key"),
                            Optional.of(mounted.resolve("ca.crt"))),
                    own,
                    NEVER_AGAIN,
                    new Silent());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Silent implements WatchedCredentials.Listener {
        @Override
        public void taken(Credentials credentials) {}

        @Override
        public void kept(String reason) {}
    }

    /** A front end connects to a host, where the server of the id has to be. */
    private void connect(String host, PeerName expected) throws SSLException {
        try (WatchedCredentials client = holder("t-front-end-tls", PeerRule.anyone());
                WatchedCredentials server = holder("t-server-tls", PeerRule.only(SERVER))) {
            SSLEngine from =
                    client.contexts(PeerRule.only(expected), true, reason -> {})
                            .get()
                            .createSSLEngine(host, 10_030);
            from.setUseClientMode(true);
            SSLEngine to =
                    server.contexts(PeerRule.anyone(), true, reason -> {}).get().createSSLEngine();
            to.setUseClientMode(false);
            to.setNeedClientAuth(true);
            shakeHands(from, to);
            assertThat(from.getSession().getProtocol()).startsWith("TLSv1.");
        }
    }

    private static void shakeHands(SSLEngine from, SSLEngine to) throws SSLException {
        ByteBuffer there = ByteBuffer.allocate(1 << 16);
        ByteBuffer back = ByteBuffer.allocate(1 << 16);
        from.beginHandshake();
        to.beginHandshake();
        for (int turn = 0; turn < 1_000 && (isBusy(from) || isBusy(to)); turn++) {
            step(from, back, there);
            step(to, there, back);
        }
        assertThat(isBusy(from) || isBusy(to)).isFalse();
    }

    private static boolean isBusy(SSLEngine engine) {
        HandshakeStatus status = engine.getHandshakeStatus();
        return status != HandshakeStatus.NOT_HANDSHAKING && status != HandshakeStatus.FINISHED;
    }

    private static void step(SSLEngine engine, ByteBuffer read, ByteBuffer written)
            throws SSLException {
        switch (engine.getHandshakeStatus()) {
            case NEED_TASK -> {
                for (Runnable task = engine.getDelegatedTask();
                        task != null;
                        task = engine.getDelegatedTask()) {
                    task.run();
                }
            }
            case NEED_WRAP -> engine.wrap(ByteBuffer.allocate(0), written);
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                read.flip();
                engine.unwrap(read, ByteBuffer.allocate(1 << 16));
                read.compact();
            }
            case NOT_HANDSHAKING, FINISHED -> {}
        }
    }

    @Test
    void podIsReachedByItsName_whenCertificateIsOfItsRole() throws Exception {
        assertThat(run()).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains("t-ca: issuer made", "t-server-tls: server issued until ");
        connect(POD, SERVER);
        assertThatThrownBy(() -> connect("t-manager-0.t-manager.tables.svc.cluster.local", SERVER))
                .isInstanceOf(SSLException.class);
        assertThatThrownBy(() -> connect(POD, PeerName.any(PeerRole.MANAGER)))
                .isInstanceOf(SSLException.class);
        assertThatThrownBy(() -> holder("t-front-end-tls", PeerRule.only(SERVER)))
                .hasMessageContaining("the certificate is of front-end (expected: server");
    }

    @Test
    void allIsRenewed_whenAskedFor() throws Exception {
        assertThat(run()).isZero();
        byte[] issuer = api.data("t-ca").get("tls.crt");
        byte[] server = api.data("t-server-tls").get("tls.crt");
        // Certificates tell whole seconds, and one of this second is as new as can be.
        long made = Instant.now().getEpochSecond();
        Awaitility.await().until(() -> Instant.now().getEpochSecond() > made);
        assertThat(run("--renew", "--wait-max=1s")).isEqualTo(ExitCode.NOT_YET.code());
        assertThat(api.data("t-server-tls").get("tls.crt")).isEqualTo(server);
        assertThat(out.toString()).contains("the issuer changes; a run after ");
        assertThat(run("--renew", "--settle=0s", "--wait-max=1m")).isZero();
        assertThat(api.data("t-ca").get("tls.crt")).isNotEqualTo(issuer);
        assertThat(api.data("t-server-tls").get("ca.crt"))
                .isEqualTo(api.data("t-ca").get("tls.crt"));
        connect(POD, SERVER);
    }

    @Test
    void refusalIsTold() throws Exception {
        Files.writeString(api.account().resolve("token"), "another");
        assertThat(run()).isEqualTo(ExitCode.FAILED.code());
        assertThat(err.toString()).contains("parterre: secret t-ca cannot be read: 401");
    }
}
