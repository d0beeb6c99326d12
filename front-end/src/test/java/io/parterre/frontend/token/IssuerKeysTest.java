package io.parterre.frontend.token;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.sun.net.httpserver.HttpServer;
import io.parterre.frontend.auth.Issuer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class IssuerKeysTest {
    private static final RSAKey FIRST = Issuer.rsa("k1");
    private static final RSAKey SECOND = Issuer.rsa("k2");

    private final AtomicLong nanos = new AtomicLong(17);
    private final AtomicInteger readings = new AtomicInteger();
    private volatile String document = set(FIRST);

    private static String set(JWK... keys) {
        return new JWKSet(List.of(keys)).toString(false);
    }

    private static IssuerKeysConfig config(String location) {
        return new IssuerKeysConfig(location, Duration.ofHours(1), Duration.ofHours(2));
    }

    /** Reads what the document is; an empty one cannot be read. */
    private IssuerKeys fake() {
        return IssuerKeys.start(
                config("fake"),
                () -> {
                    readings.incrementAndGet();
                    if (document.isEmpty()) {
                        throw new IOException("no document");
                    }
                    return document;
                },
                nanos::get);
    }

    private static List<String> ids(IssuerKeys keys) {
        return keys.current()
                .map(set -> set.getKeys().stream().map(JWK::getKeyID).toList())
                .orElse(List.of());
    }

    /** Asks again and again: the reading before may not have ended. */
    private static boolean asked(IssuerKeys keys) {
        keys.refresh();
        return true;
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void keyFileIsReadAgain_whenRefreshIsRequested(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("keys.json"), set(FIRST));
        try (IssuerKeys keys = IssuerKeys.start(config(file.toString()), nanos::get)) {
            await().until(() -> ids(keys).equals(List.of("k1")));
            Files.writeString(file, set(FIRST, SECOND));
            pass(Duration.ofSeconds(30));
            await().until(() -> asked(keys) && ids(keys).equals(List.of("k1", "k2")));
        }
    }

    @Test
    void startFails_whenKeyFileHoldsNoUsableKey(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("keys.json");
        IssuerKeysConfig config = config(file.toString());
        assertThatThrownBy(() -> IssuerKeys.start(config, nanos::get))
                .isInstanceOf(IOException.class);
        Files.writeString(file, "{\"keys\":[]}");
        assertThatThrownBy(() -> IssuerKeys.start(config, nanos::get))
                .hasMessageContaining("no public key");
        Files.writeString(file, "no JSON");
        assertThatThrownBy(() -> IssuerKeys.start(config, nanos::get))
                .hasMessageContaining("malformed");
        OctetSequenceKey secret =
                new OctetSequenceKey.Builder("a shared secret".getBytes(UTF_8)).keyID("s").build();
        Files.writeString(file, set(secret));
        assertThatThrownBy(() -> IssuerKeys.start(config, nanos::get))
                .hasMessageContaining("no public key");
        Files.writeString(file, " ".repeat(KeyDocument.BYTES_MAX + 1));
        assertThatThrownBy(() -> IssuerKeys.start(config, nanos::get))
                .hasMessageContaining("too large");
    }

    @Test
    void issuerKeysDropPrivateParts() {
        try (IssuerKeys keys = fake()) {
            await().until(() -> keys.current().isPresent());
            assertThat(keys.current().orElseThrow().getKeys()).noneMatch(JWK::isPrivate);
        }
    }

    @Test
    void keyRefreshIsLimitedToOncePer30Seconds() {
        try (IssuerKeys keys = fake()) {
            await().until(() -> !keys.refresh());
            for (int i = 0; i < 100; i++) {
                assertThat(keys.refresh()).isFalse();
            }
            assertThat(readings).hasValue(1);
            pass(Duration.ofSeconds(30));
            assertThat(keys.refresh()).isTrue();
            await().until(() -> readings.get() == 2);
            await().until(() -> !keys.refresh());
            assertThat(readings).hasValue(2);
        }
    }

    @Test
    void issuerKeysAreKeptDuringOutage_untilMaximumStaleness() {
        try (IssuerKeys keys = fake()) {
            await().until(() -> keys.current().isPresent());
            document = "";
            pass(Duration.ofMinutes(1));
            await().until(() -> asked(keys) && readings.get() == 2);
            assertThat(ids(keys)).containsExactly("k1");
            pass(Duration.ofHours(2));
            assertThat(keys.current()).isEmpty();
        }
    }

    @Test
    void refreshReportsKeysPending_whileNoKeysAreLoaded() {
        document = "";
        try (IssuerKeys keys = fake()) {
            await().until(() -> readings.get() == 1);
            assertThat(keys.refresh()).isTrue();
            document = set(FIRST);
            pass(Duration.ofSeconds(30));
            await().until(() -> asked(keys) && keys.current().isPresent());
        }
    }

    @Test
    void issuerKeysRemainAvailableUnrefreshed_afterClose() {
        IssuerKeys keys = fake();
        await().until(() -> keys.current().isPresent());
        keys.close();
        document = set(SECOND);
        pass(Duration.ofMinutes(1));
        keys.refresh();
        assertThat(ids(keys)).containsExactly("k1");
        assertThat(readings).as("nothing is read any more").hasValue(1);
        pass(Duration.ofHours(2));
        assertThat(keys.current()).as("they are too old").isEmpty();
    }

    @Test
    void keyReadFromUrlFails_whenTooLargeRedirectedOrStuck() throws Exception {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        BlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();
        CountDownLatch end = new CountDownLatch(1);
        server.createContext(
                "/keys",
                exchange -> {
                    byte[] body = answers.remove();
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.createContext(
                "/moved",
                exchange -> {
                    exchange.getResponseHeaders().add("Location", "/keys");
                    exchange.sendResponseHeaders(302, -1);
                    exchange.close();
                });
        server.createContext(
                "/stuck",
                exchange -> {
                    exchange.sendResponseHeaders(200, 10);
                    exchange.getResponseBody().write(' ');
                    exchange.getResponseBody().flush();
                    try {
                        end.await();
                    } catch (InterruptedException stopped) {
                        Thread.currentThread().interrupt();
                    }
                    exchange.close();
                });
        server.start();
        String base = "http://127.0.0.1:" + server.getAddress().getPort();
        try {
            answers.add(set(FIRST).getBytes(UTF_8));
            try (IssuerKeys keys = IssuerKeys.start(config(base + "/keys"), nanos::get)) {
                await().until(() -> ids(keys).equals(List.of("k1")));
            }
            Duration patience = Duration.ofSeconds(5);
            answers.add(new byte[KeyDocument.BYTES_MAX + 1]);
            assertThatThrownBy(() -> new KeyAddress(URI.create(base + "/keys"), patience).read())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("too large");
            assertThatThrownBy(() -> new KeyAddress(URI.create(base + "/moved"), patience).read())
                    .hasMessageContaining("302");
            KeyAddress stuck = new KeyAddress(URI.create(base + "/stuck"), Duration.ofMillis(300));
            assertThatThrownBy(stuck::read).hasMessageContaining("no answer within");
        } finally {
            end.countDown();
            server.stop(0);
        }
    }

    @Test
    void issuerKeysConfigIsRejected_withEachInvalidSettingNamed() {
        assertThatThrownBy(
                        () -> new IssuerKeysConfig("", Duration.ofMillis(1), Duration.ofHours(1)))
                .hasMessageContaining("keys: ''")
                .hasMessageContaining("keysRefreshInterval: PT0.001S");
        assertThatThrownBy(() -> config("https://"))
                .hasMessage("keys: 'https://' (expected: a URI)");
        assertThatThrownBy(
                        () -> new IssuerKeysConfig("f", Duration.ofHours(2), Duration.ofHours(1)))
                .hasMessageContaining("keysAgeMax: PT1H");
    }
}
