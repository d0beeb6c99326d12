package io.parterre.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.parterre.frontend.config.RecordCopy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client cannot make the server do. */
final class HttpLimitsIT {
    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(100);

    private static HttpServerConfig limits(
            int connections, Duration idle, Duration body, Duration call, Duration stalledWrite) {
        return RecordCopy.with(
                ServerFixture.SMALL,
                Map.of(
                        "connectionsMax", connections,
                        "idleTimeout", idle,
                        "bodyTimeout", body,
                        "callTimeout", call,
                        "stalledWriteTimeout", stalledWrite));
    }

    private static void assertRefused(String request, String statusLine, String code)
            throws IOException {
        try (ServerFixture fixture =
                        ServerFixture.answering(ServerFixture.SMALL, ServerFixture.echo());
                RawClient client = fixture.connect()) {
            client.send(request);
            assertThat(client.rest())
                    .startsWith(statusLine)
                    .contains("\r\nConnection: close\r\n")
                    .contains("\"code\":\"" + code + "\"");
            assertThat(fixture.calls).isEmpty();
            await().until(() -> fixture.server.bytesInFlight() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\r\n\r\n",
                "hello\r\n\r\n",
                "GET / HTTP/1.1\r\nno colon\r\n\r\n",
                "GET / HTTP/1.1\r\nBad Name: x\r\n\r\n",
                "GET / HTTP/1.1\r\nX: a\u0000b\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                "POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\nx",
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
            })
    void requestIsRejectedWith400_whenNotValidHTTP(String request) throws Exception {
        assertRefused(request, "HTTP/1.1 400 Bad Request\r\n", "InvalidInput");
    }

    @Test
    void serverKeepsServing_afterConnectionsSendRandomBytes() throws Exception {
        Random random = new Random(7);
        try (ServerFixture fixture =
                ServerFixture.answering(ServerFixture.SMALL, ServerFixture.echo())) {
            for (int i = 0; i < 200; i++) {
                byte[] garbage = new byte[1 + random.nextInt(300)];
                random.nextBytes(garbage);
                try (RawClient client = fixture.connect()) {
                    client.send(garbage).endOutput();
                    assertThat(client.rest()).doesNotContain("200 OK");
                }
            }
            try (RawClient client = fixture.connect()) {
                assertThat(client.send(GET).answer()).startsWith("HTTP/1.1 200");
            }
            assertThat(fixture.calls).hasSize(1);
        }
    }

    @Test
    void otherClientsAreServed_whileAnnouncedBodiesAreNotSent() throws Exception {
        int bodyBytes = 4 << 20;
        HttpServerConfig large =
                RecordCopy.with(
                        ServerFixture.SMALL,
                        Map.of(
                                "bodyBytesMax",
                                bodyBytes,
                                "bytesInFlightMax",
                                bodyBytes + 1_024L,
                                "closeTimeout",
                                Duration.ofMillis(100)));
        List<RawClient> announcing = new ArrayList<>();
        try (ServerFixture fixture = ServerFixture.answering(large, ServerFixture.echo());
                RawClient client = fixture.connect()) {
            for (int i = 0; i < 8; i++) {
                announcing.add(
                        fixture.connect()
                                .send("POST / HTTP/1.1\r\nContent-Length: 4194304\r\n\r\na"));
            }
            await().until(() -> fixture.server.bytesInFlight() > 0);
            client.send("POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nab");
            assertThat(client.answer()).startsWith("HTTP/1.1 200").endsWith("ab");
            assertThat(fixture.server.bytesInFlight()).isLessThanOrEqualTo(8 * 66 * 1_024);
        } finally {
            for (RawClient each : announcing) {
                each.close();
            }
        }
    }

    @Test
    void requestIsRejectedWith505_whenHttpVersionIsUnsupported() throws Exception {
        assertRefused(
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "HTTP/1.1 505 HTTP Version Not Supported\r\n",
                "InvalidInput");
    }

    @Test
    void requestIsRejectedWith417_whenExpectationIsUnknown() throws Exception {
        assertRefused(
                "GET / HTTP/1.1\r\nExpect: tea\r\n\r\n",
                "HTTP/1.1 417 Expectation Failed\r\n",
                "InvalidHeaderValue");
    }

    @Test
    void requestIsRejectedWith431_whenHeadersExceedLimit() throws Exception {
        String many = "X-Filler: aaaaaaaaaaaaaaaaaaaaaaaa\r\n".repeat(40_000);
        assertRefused(
                "GET / HTTP/1.1\r\n" + many,
                "HTTP/1.1 431 Request Header Fields Too Large\r\n",
                "InvalidHeaderValue");
    }

    @Test
    void requestIsRejectedWith414_whenTargetExceedsLimit() throws Exception {
        assertRefused(
                "GET /" + "a".repeat(1_000_000) + " HTTP/1.1\r\n\r\n",
                "HTTP/1.1 414 URI Too Long\r\n",
                "RequestUrlFailedToParse");
    }

    @Test
    void requestIsAccepted_with32KiBTargetAnd28KiBHeaders() throws Exception {
        try (ServerFixture fixture =
                        ServerFixture.answering(ServerFixture.SMALL, ServerFixture.echo());
                RawClient client = fixture.connect()) {
            String target = "/" + "a".repeat(32 * 1_024 - 1);
            client.send("GET " + target + " HTTP/1.1\r\nX: " + "b".repeat(28 * 1_024) + "\r\n\r\n");
            assertThat(client.answer()).startsWith("HTTP/1.1 200");
            assertThat(fixture.calls.get(0).call().target()).isEqualTo(target);
        }
    }

    @Test
    void oversizedBodyIsRejectedWith413_beforeClientSendsIt() throws Exception {
        assertRefused(
                "PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 65537\r\n\r\n",
                "HTTP/1.1 413 Request Entity Too Large\r\n",
                "RequestBodyTooLarge");
    }

    @Test
    void clientCanRead413_whileSendingOversizedBody() throws Exception {
        assertRefused(
                "PUT / HTTP/1.1\r\nContent-Length: 4000000\r\n\r\n" + "x".repeat(4_000_000),
                "HTTP/1.1 413 Request Entity Too Large\r\n",
                "RequestBodyTooLarge");
    }

    @Test
    void clientCanRead413_whenBodyExceedsSocketBuffers() throws Exception {
        try (ServerFixture fixture =
                        ServerFixture.answering(ServerFixture.LINGERING, ServerFixture.echo());
                RawClient client = fixture.connect()) {
            client.sendMoreThanSocketsHold();
            assertThat(client.rest()).startsWith("HTTP/1.1 413 Request Entity Too Large\r\n");

            client.close();
            await().until(() -> fixture.server.connections() == 0);
        }
    }

    @Test
    void chunkedBodyIsRejectedWith413_whenItExceedsLimit() throws Exception {
        String chunk = "1000\r\n" + "x".repeat(4_096) + "\r\n";
        assertRefused(
                "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk.repeat(17),
                "HTTP/1.1 413 Request Entity Too Large\r\n",
                "RequestBodyTooLarge");
    }

    @Test
    void bodyIsAccepted_whenExactlyAtLimit() throws Exception {
        String body = "x".repeat(64 * 1_024);
        try (ServerFixture fixture =
                        ServerFixture.answering(ServerFixture.SMALL, ServerFixture.echo());
                RawClient client = fixture.connect()) {
            client.send("PUT / HTTP/1.1\r\nContent-Length: 65536\r\n\r\n" + body);
            assertThat(client.answer()).endsWith(body);
        }
    }

    @Test
    void pipelinedRequestIsAnswered_beforeRejectionOfNextOne() throws Exception {
        try (ServerFixture fixture = new ServerFixture(ServerFixture.SMALL);
                RawClient client = fixture.connect()) {
            client.send(GET + "garbage\r\n\r\n");
            await().until(() -> fixture.calls.size() == 1);
            fixture.calls.get(0).answer("first");
            assertThat(client.answer()).endsWith("first");
            assertThat(client.rest()).startsWith("HTTP/1.1 400");
        }
    }

    @Test
    void addressIsRefusedWith503_whenItHoldsHalfOfMemory() throws Exception {
        try (ServerFixture fixture = new ServerFixture(ServerFixture.SMALL)) {
            String rest = " HTTP/1.1\r\nContent-Length: 65536\r\n\r\n" + "x".repeat(64 * 1_024);
            String put = "PUT /" + rest;
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(fixture.connect().send("PUT /" + i + rest));
            }
            await().until(() -> fixture.calls.size() == 4);
            assertThat(fixture.server.bytesInFlight(MemoryKind.BODIES)).isEqualTo(256 * 1_024);
            for (String more : List.of(put, GET)) {
                // A read too: nobody knows yet how large its answer is.
                try (RawClient fifth = fixture.connect()) {
                    assertThat(fifth.send(more).answer())
                            .startsWith("HTTP/1.1 503 Service Unavailable\r\n")
                            .contains("\"code\":\"ServerBusy\"");
                }
            }
            try (RawClient another = fixture.connectFrom("127.0.0.2")) {
                another.send(put);
                await().until(() -> fixture.calls.size() == 5);
                fixture.calls.get(4).answer("another's");
                assertThat(another.answer()).endsWith("another's");
            }
            // Whose call came first is chance.
            fixture.calls.subList(0, 4).stream()
                    .filter(call -> call.call().target().equals("/2"))
                    .forEach(call -> call.answer("third"));
            assertThat(clients.get(2).answer()).endsWith("third");
            try (RawClient next = fixture.connect()) {
                next.send(put);
                await().until(() -> fixture.calls.size() == 6);
            }
            for (RawClient client : clients) {
                client.close();
            }
            fixture.calls.forEach(call -> call.answer("end"));
            await().until(() -> fixture.server.bytesInFlight() == 0);
        }
    }

    @Test
    void bodyMemoryIsReleased_whenClientDisconnectsMidBody() throws Exception {
        try (ServerFixture fixture = new ServerFixture(ServerFixture.SMALL)) {
            RawClient client = fixture.connect();
            client.send("PUT / HTTP/1.1\r\nContent-Length: 60000\r\n\r\nonly this");
            await().until(() -> fixture.server.bytesInFlight() >= 60_000);
            client.close();
            await().until(() -> fixture.server.bytesInFlight() == 0);
            assertThat(fixture.calls).isEmpty();
            await().until(() -> fixture.server.connections() == 0);
        }
    }

    @Test
    void callMemoryIsReleasedAtCallEnd_whenClientDisconnectedBefore() throws Exception {
        try (ServerFixture fixture = new ServerFixture(ServerFixture.SMALL)) {
            RawClient client = fixture.connect();
            client.send("PUT / HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody");
            await().until(() -> fixture.calls.size() == 1);
            client.reset();
            await().until(() -> fixture.server.connections() == 0);
            assertThat(fixture.server.bytesInFlight(MemoryKind.BODIES)).isEqualTo(4);
            fixture.calls.get(0).answer("late");
            await().until(() -> fixture.server.bytesInFlight() == 0);
        }
    }

    @Test
    void requestIsRejectedWith408_whenBodyIsTooSlow() throws Exception {
        try (ServerFixture fixture = new ServerFixture(limits(9, LONG, SHORT, LONG, LONG));
                RawClient client = fixture.connect()) {
            client.send("PUT / HTTP/1.1\r\nContent-Length: 4\r\n\r\nbo");
            assertThat(client.rest())
                    .startsWith("HTTP/1.1 408 Request Timeout\r\n")
                    .contains("\"code\":\"OperationTimedOut\"");
            assertThat(fixture.calls).isEmpty();
            await().until(() -> fixture.server.bytesInFlight() == 0);
        }
    }

    @Test
    void idleConnectionIsClosed_whenNoCompleteHeaderArrives() throws Exception {
        try (ServerFixture fixture = new ServerFixture(limits(9, SHORT, LONG, LONG, LONG));
                RawClient silent = fixture.connect();
                RawClient half = fixture.connect()) {
            half.send("GET / HTTP/1.1\r\nX-Half");
            assertThat(silent.rest()).isEmpty();
            assertThat(half.rest()).doesNotContain("200");
            await().until(() -> fixture.server.connections() == 0);
        }
    }

    @Test
    void connectionIsKept_whenCallOutlastsIdleTimeout() throws Exception {
        try (ServerFixture fixture = new ServerFixture(limits(9, SHORT, LONG, LONG, LONG));
                RawClient waiting = fixture.connect();
                RawClient idle = fixture.connect()) {
            waiting.send(GET);
            await().until(() -> fixture.calls.size() == 1);
            assertThat(idle.rest()).isEmpty();
            fixture.calls.get(0).answer("at last");
            assertThat(waiting.answer()).endsWith("at last");
        }
    }

    @Test
    void callFailsWithTimeout_whenHandlerNeverAnswers() throws Exception {
        try (ServerFixture fixture = new ServerFixture(limits(9, LONG, LONG, SHORT, LONG));
                RawClient client = fixture.connect()) {
            assertThat(client.send(GET).rest())
                    .startsWith("HTTP/1.1 500 Internal Server Error\r\n")
                    .contains("\"code\":\"OperationTimedOut\"");
            fixture.calls.get(0).answer("too late");
        }
    }

    @Test
    void connectionIsClosed_whenClientDoesNotReadResponse() throws Exception {
        String large = "x".repeat(20_000_000);
        try (ServerFixture fixture =
                        ServerFixture.answering(
                                limits(9, LONG, LONG, LONG, SHORT),
                                ServerFixture.always(ServerFixture.ok(large)));
                RawClient client = fixture.connect()) {
            client.send(GET);
            await().until(() -> fixture.calls.size() == 1);
            await().until(() -> fixture.server.connections() == 0);
            await().until(() -> fixture.server.bytesInFlight() == 0);
        }
    }

    @Test
    @SuppressWarnings("try") // closed early, to make room
    void newConnectionIsClosed_whenConnectionLimitIsReached() throws Exception {
        try (ServerFixture fixture =
                        ServerFixture.answering(
                                limits(2, LONG, LONG, LONG, LONG), ServerFixture.echo());
                RawClient first = fixture.connect();
                RawClient second = fixture.connect()) {
            await().until(() -> fixture.server.connections() == 2);
            try (RawClient third = fixture.connect()) {
                assertThat(third.rest()).isEmpty();
            }
            assertThat(first.send(GET).answer()).startsWith("HTTP/1.1 200");
            second.close();
            await().until(() -> fixture.server.connections() == 1);
            try (RawClient fourth = fixture.connect()) {
                assertThat(fourth.send(GET).answer()).startsWith("HTTP/1.1 200");
            }
        }
    }

    @Test
    void requestsAreServed_whileThousandConnectionsAreIdle() throws Exception {
        try (ServerFixture fixture =
                ServerFixture.answering(ServerFixture.SMALL, ServerFixture.echo())) {
            List<RawClient> idle = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                idle.add(fixture.connect());
            }
            await().until(() -> fixture.server.connections() == 1_000);
            try (RawClient busy = fixture.connect()) {
                for (int i = 0; i < 1_000; i++) {
                    assertThat(busy.send(GET).answer()).startsWith("HTTP/1.1 200");
                }
            }
            assertThat(idle.get(999).send(GET).answer()).startsWith("HTTP/1.1 200");
            for (RawClient client : idle) {
                client.close();
            }
            await().until(() -> fixture.server.connections() == 0);
        }
    }

    @Test
    void listenErrorNamesHostAndPort_whenPortIsInUse() throws Exception {
        try (ServerFixture fixture = new ServerFixture(ServerFixture.SMALL)) {
            InetSocketAddress taken = fixture.server.address();
            HttpServerConfig same = HttpServerConfig.listeningOn("127.0.0.1", taken.getPort());
            assertThatThrownBy(() -> new ServerFixture(same))
                    .isInstanceOf(ListenException.class)
                    .hasMessageStartingWith("cannot listen on 127.0.0.1:" + taken.getPort() + ": ");
        }
    }

    @Test
    void runningCallsComplete_whenServerCloses() throws Exception {
        ServerFixture fixture = new ServerFixture(ServerFixture.SMALL);
        InetSocketAddress address = fixture.server.address();
        try (RawClient running = fixture.connect();
                RawClient idle = fixture.connect()) {
            running.send(GET);
            await().until(() -> fixture.calls.size() == 1);
            CompletableFuture<Void> closing = CompletableFuture.runAsync(fixture::close);
            assertThat(idle.rest()).isEmpty();
            assertThatThrownBy(() -> new RawClient(address)).isInstanceOf(IOException.class);
            assertThat(closing).isNotDone();
            fixture.calls.get(0).answer("done");
            assertThat(running.rest())
                    .contains("\r\nConnection: close\r\n")
                    .endsWith("\r\n\r\ndone");
            closing.join();
        }
    }

    @Test
    void requestOnOpenConnectionIsAnswered_whileServerCloses() throws Exception {
        ServerFixture fixture = ServerFixture.answering(ServerFixture.SMALL, ServerFixture.echo());
        InetSocketAddress address = fixture.server.address();
        try (RawClient busy = fixture.connect();
                RawClient idle = fixture.connect()) {
            busy.send(GET);
            assertThat(busy.answer()).doesNotContain("Connection: close");
            CompletableFuture<Void> closing = CompletableFuture.runAsync(fixture::close);
            await().until(() -> refusesConnections(address));
            busy.send(GET);
            assertThat(busy.rest()).startsWith("HTTP/1.1 200 ").contains("Connection: close\r\n");
            assertThat(idle.rest()).isEmpty();
            closing.join();
        }
    }

    private static boolean refusesConnections(InetSocketAddress address) {
        try (RawClient more = new RawClient(address)) {
            return false;
        } catch (IOException refused) {
            return true;
        }
    }

    @Test
    void connectionIsCut_whenCallOutlastsCloseTimeout() throws Exception {
        HttpServerConfig impatient =
                RecordCopy.with(ServerFixture.SMALL, Map.of("closeTimeout", SHORT));
        ServerFixture fixture = new ServerFixture(impatient);
        try (RawClient client = fixture.connect()) {
            client.send(GET);
            await().until(() -> fixture.calls.size() == 1);
            fixture.close();
            assertThat(client.rest()).isEmpty();
        }
    }
}
