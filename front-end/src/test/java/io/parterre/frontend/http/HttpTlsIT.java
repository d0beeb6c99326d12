package io.parterre.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.parterre.frontend.config.RecordCopy;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
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
        try (ServerFixture fixture = ServerFixture.answering(config(), ServerFixture.echo());
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
        try (ServerFixture fixture = ServerFixture.answering(lingering, ServerFixture.echo());
                RawClient client = connect(fixture.server.address())) {
            client.sendMoreThanSocketsHold();
            assertThat(client.rest()).startsWith("HTTP/1.1 413 Request Entity Too Large\r\n");

            client.close();
            await().until(() -> fixture.server.connections() == 0);
        }
    }

    @Test
    void plainHttpGetsNoResponse_whenTlsIsEnabled() throws Exception {
        try (ServerFixture fixture = ServerFixture.answering(config(), ServerFixture.echo());
                RawClient client = fixture.connect()) {
            client.send("GET / HTTP/1.1\r\n\r\n");
            assertThat(client.rest()).doesNotContain("HTTP");
            assertThat(fixture.calls).isEmpty();
        }
    }

    @Test
    void serverStartFails_whenCertificateIsMissing() {
        HttpServerConfig config =
                withTls(ServerFixture.SMALL, new TlsFiles(Path.of("no.pem"), Path.of("no.pem")));
        assertThatThrownBy(() -> new ServerFixture(config))
                .isInstanceOfAny(SSLException.class, IllegalArgumentException.class)
                .hasMessageContaining("no.pem");
    }
}
