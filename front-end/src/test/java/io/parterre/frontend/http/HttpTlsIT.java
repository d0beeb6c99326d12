package io.parterre.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.parterre.frontend.config.RecordCopy;
import io.parterre.tls.CredentialFiles;
import io.parterre.tls.Credentials;
import io.parterre.tls.PeerRule;
import io.parterre.tls.WatchedCredentials;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;

/** HTTP under TLS, with a certificate that only tests know. */
final class HttpTlsIT {
    private static Path resource(String name) throws Exception {
        return Path.of(HttpTlsIT.class.getResource("/tls/" + name).toURI());
    }

    private static HttpServerConfig withTls(HttpServerConfig base, TlsFiles files) {
        return RecordCopy.with(base, Map.of("tls", Optional.of(files)));
    }

    private static HttpServerConfig config() throws Exception {
        return withTls(
                ServerFixture.SMALL, new TlsFiles(resource("cert.pem"), resource("key.pem")));
    }

    private static Supplier<SSLContext> contexts() throws Exception {
        CredentialFiles files =
                new CredentialFiles(resource("cert.pem"), resource("key.pem"), Optional.empty());
        try (WatchedCredentials read =
                WatchedCredentials.open(
                        files, PeerRule.anyone(), Duration.ofHours(1), new Unheard())) {
            return read.contexts(PeerRule.anyone(), false, refusal -> {});
        }
    }

    private static final class Unheard implements WatchedCredentials.Listener {
        @Override
        public void taken(Credentials credentials) {}

        @Override
        public void kept(String reason) {}
    }

    private static SSLContext trusting() throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (InputStream pem = HttpTlsIT.class.getResourceAsStream("/tls/cert.pem")) {
            Certificate certificate =
                    CertificateFactory.getInstance("X.509").generateCertificate(pem);
            trusted.setCertificateEntry("server", certificate);
        }
        TrustManagerFactory managers =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    private static RawClient connect(InetSocketAddress server) throws Exception {
        return new RawClient(
                trusting().getSocketFactory().createSocket(server.getAddress(), server.getPort()));
    }

    @Test
    void requestIsServedAndMarkedSecure_withTLS() throws Exception {
        try (ServerFixture fixture =
                        ServerFixture.answering(config(), ServerFixture.echo(), contexts());
                RawClient client = connect(fixture.server.address())) {
            client.send("PUT / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello");
            assertThat(client.answer()).endsWith("\r\n\r\nhello");
            assertThat(fixture.calls.get(0).call().secure()).isTrue();
            client.send("garbage\r\n\r\n");
            assertThat(client.rest()).startsWith("HTTP/1.1 400");
        }
    }

    @Test
    void clientCanRead413_whenTlsBodyExceedsSocketBuffers() throws Exception {
        HttpServerConfig lingering =
                withTls(
                        ServerFixture.LINGERING,
                        new TlsFiles(resource("cert.pem"), resource("key.pem")));
        try (ServerFixture fixture =
                        ServerFixture.answering(lingering, ServerFixture.echo(), contexts());
                RawClient client = connect(fixture.server.address())) {
            client.sendMoreThanSocketsHold();
            assertThat(client.rest()).startsWith("HTTP/1.1 413 Request Entity Too Large\r\n");

            client.close();
            await().until(() -> fixture.server.connections() == 0);
        }
    }

    @Test
    void plainHttpGetsNoResponse_whenTlsIsEnabled() throws Exception {
        try (ServerFixture fixture =
                        ServerFixture.answering(config(), ServerFixture.echo(), contexts());
                RawClient client = fixture.connect()) {
            client.send("GET / HTTP/1.1\r\n\r\n");
            assertThat(client.rest()).doesNotContain("HTTP");
            assertThat(fixture.calls).isEmpty();
        }
    }

    /** Else it would serve in plain text what its settings say is secured. */
    @Test
    void serverStartFails_whenTlsIsSetWithoutContexts() {
        assertThatThrownBy(() -> new ServerFixture(config()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tls: ");
    }

    @Test
    void newConnectionGetsNewContext_whenCredentialsChange() throws Exception {
        SSLContext useless = SSLContext.getInstance("TLS");
        useless.init(null, null, null);
        AtomicReference<SSLContext> newest = new AtomicReference<>(contexts().get());
        try (ServerFixture fixture =
                        ServerFixture.answering(config(), ServerFixture.echo(), newest::get);
                RawClient before = connect(fixture.server.address())) {
            before.send("PUT / HTTP/1.1\r\nContent-Length: 1\r\n\r\n1");
            assertThat(before.answer()).endsWith("\r\n\r\n1");

            newest.set(useless);
            assertThatThrownBy(
                            () ->
                                    connect(fixture.server.address())
                                            .send("GET / HTTP/1.1\r\n\r\n")
                                            .answer())
                    .isInstanceOf(IOException.class);
            before.send("PUT / HTTP/1.1\r\nContent-Length: 1\r\n\r\n2");
            assertThat(before.answer()).endsWith("\r\n\r\n2");
        }
    }
}
