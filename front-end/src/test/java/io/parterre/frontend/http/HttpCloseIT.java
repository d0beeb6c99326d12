package io.parterre.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parterre.frontend.config.RecordCopy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that goes on for a while after it was told to close. */
@Timeout(60)
class HttpCloseIT {
    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String LAST = "Connection: close\r\n";

    @Test
    void keepAliveConnectionEndsAfterItsAnswer_onceCloseIsAnnounced() throws Exception {
        try (ServerFixture fixture =
                        ServerFixture.answering(ServerFixture.SMALL, ServerFixture.echo());
                RawClient client = fixture.connect()) {
            client.send(GET);
            assertThat(client.answer()).doesNotContain(LAST);
            fixture.server.announceClose();
            client.send(GET);
            // All up to the end of the stream: a reset would be an exception.
            assertThat(client.rest()).startsWith("HTTP/1.1 200 ").contains(LAST);
        }
    }

    @Test
    void newConnectionsAreServed_onceCloseIsAnnounced() throws Exception {
        try (ServerFixture fixture =
                ServerFixture.answering(ServerFixture.SMALL, ServerFixture.echo())) {
            fixture.server.announceClose();
            for (int i = 0; i < 20; i++) {
                try (RawClient client = fixture.connect()) {
                    client.send(GET);
                    assertThat(client.rest()).startsWith("HTTP/1.1 200 ").contains(LAST);
                }
            }
        }
    }

    /**
     * A client's pool may open one ahead of its next request. One that were drained would be closed
     * within a millisecond here.
     */
    @Test
    void newConnectionStaysOpenForItsRequest_onceCloseIsAnnounced() throws Exception {
        HttpServerConfig impatient =
                RecordCopy.with(ServerFixture.SMALL, Map.of("closeTimeout", Duration.ofMillis(1)));
        try (ServerFixture fixture = ServerFixture.answering(impatient, ServerFixture.echo())) {
            fixture.server.announceClose();
            try (RawClient early = fixture.connect()) {
                await().until(() -> fixture.server.connections() == 1);
                for (int i = 0; i < 50; i++) {
                    try (RawClient later = fixture.connect()) {
                        later.send(GET);
                        assertThat(later.rest()).contains(LAST);
                    }
                }
                early.send(GET);
                assertThat(early.rest()).startsWith("HTTP/1.1 200 ").contains(LAST);
            }
        }
    }

    @Test
    void listenerAcceptsForTheCloseDelay_thenRefuses() throws Exception {
        Duration delay = Duration.ofMillis(700);
        HttpServerConfig config = RecordCopy.with(ServerFixture.SMALL, Map.of("closeDelay", delay));
        ServerFixture fixture = ServerFixture.answering(config, ServerFixture.echo());
        InetSocketAddress address = fixture.server.address();
        long beganNanos = System.nanoTime();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(fixture::close);
        await().until(() -> refusesConnections(address));
        assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isGreaterThanOrEqualTo(delay);
        closing.join();
    }

    private static boolean refusesConnections(InetSocketAddress address) {
        try (RawClient more = new RawClient(address)) {
            return false;
        } catch (IOException refused) {
            return true;
        }
    }
}
