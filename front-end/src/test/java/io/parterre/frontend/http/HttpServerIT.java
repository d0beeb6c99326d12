package io.parterre.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.HttpCall;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said over the wire: requests in, answers out, in order. */
final class HttpServerIT {
    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

    @Test
    void serverAddsDateServerAndContentLengthToResponse() throws Exception {
        HttpAnswer answer =
                new HttpAnswer(
                        201,
                        "Created",
                        HeaderList.of("Content-Type", "text/plain", "ETag", "W/\"1\""),
                        "hello".getBytes(StandardCharsets.ISO_8859_1));
        try (ServerFixture fixture =
                        ServerFixture.answering(ServerFixture.SMALL, ServerFixture.always(answer));
                RawClient client = fixture.connect()) {
            assertThat(client.send(GET).answer())
                    .isEqualTo(
                            "HTTP/1.1 201 Created\r\n"
                                    + "Content-Type: text/plain\r\n"
                                    + "ETag: W/\"1\"\r\n"
                                    + "Server: Windows-Azure-Table/1.0 Microsoft-HTTPAPI/2.0\r\n"
                                    + "Date: Fri, 27 Nov 2026 08:09:10 GMT\r\n"
                                    + "Content-Length: 5\r\n"
                                    + "\r\n"
                                    + "hello");
        }
    }

    @Test
    void handlerHeadersOverrideDateAndServerButNotFraming() throws Exception {
        HttpAnswer answer =
                new HttpAnswer(
                        200,
                        "OK",
                        HeaderList.of(
                                "date", "then",
                                "SERVER", "other",
                                "Content-Length", "7",
                                "Transfer-Encoding", "chunked",
                                "Connection", "upgrade"),
                        "x".getBytes(StandardCharsets.ISO_8859_1));
        try (ServerFixture fixture =
                        ServerFixture.answering(ServerFixture.SMALL, ServerFixture.always(answer));
                RawClient client = fixture.connect()) {
            assertThat(client.send(GET).answer())
                    .isEqualTo(
                            "HTTP/1.1 200 OK\r\ndate: then\r\nSERVER: other\r\n"
                                    + "Content-Length: 1\r\n\r\nx");
        }
    }

    @Test
    void responseSplittingIsPrevented_whenHandlerValueHasLineBreaks() throws Exception {
        HttpAnswer answer =
                new HttpAnswer(
                        200,
                        "O\nK",
                        HeaderList.of("x-id", "a\r\nEvil: 1\u0000", "x-wide", "\u4e2d\u00e9"),
                        new byte[0]);
        try (ServerFixture fixture =
                        ServerFixture.answering(ServerFixture.SMALL, ServerFixture.always(answer));
                RawClient client = fixture.connect()) {
            assertThat(client.send(GET).answer())
                    .startsWith(
                            "HTTP/1.1 200 O K\r\nx-id: a  Evil: 1 \r\nx-wide: ?\u00e9\r\nServer");
        }
    }

    @Test
    void handlerReceivesTargetHeadersAndBodyByteForByte() throws Exception {
        try (ServerFixture fixture =
                        ServerFixture.answering(ServerFixture.SMALL, ServerFixture.echo());
                RawClient client = fixture.connect()) {
            client.send(
                            "MERGE /acc/T(PartitionKey='a%20b',RowKey='\u00e9')?x=%C3%A9&y=a+b"
                                    + " HTTP/1.1\r\n"
                                    + "hOST:  h:1 \r\n"
                                    + "X-Raw: \u00c3\u00a9 =\"; \t z\r\n"
                                    + "X-Twice: 1\r\nx-twice: 2\r\n"
                                    + "Content-Length: 2\r\n\r\n\u0000\u00ff")
                    .answer();
            HttpCall call = fixture.calls.get(0).call();
            assertThat(call.method()).isEqualTo("MERGE");
            assertThat(call.target())
                    .isEqualTo("/acc/T(PartitionKey='a%20b',RowKey='\u00e9')?x=%C3%A9&y=a+b");
            assertThat(call.headers())
                    .isEqualTo(
                            HeaderList.of(
                                    "hOST", "h:1",
                                    "X-Raw", "\u00c3\u00a9 =\"; \t z",
                                    "X-Twice", "1",
                                    "x-twice", "2",
                                    "Content-Length", "2"));
            assertThat(call.body()).containsExactly(0, 0xff);
            assertThat(call.remote().isLoopbackAddress()).isTrue();
            assertThat(call.secure()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "PUT", "DELETE", "PATCH", "MERGE", "OPTIONS", "FOO"})
    void serverAcceptsAnyHttpMethod(String verb) throws Exception {
        try (ServerFixture fixture =
                        ServerFixture.answering(ServerFixture.SMALL, ServerFixture.echo());
                RawClient client = fixture.connect()) {
            assertThat(client.send(verb + " / HTTP/1.1\r\n\r\n").answer()).startsWith("HTTP/1.1 2");
            assertThat(fixture.calls.get(0).call().method()).isEqualTo(verb);
        }
    }

    @Test
    void pipelinedResponsesKeepOrder_whenLaterRequestEndsFirst() throws Exception {
        try (ServerFixture fixture = new ServerFixture(ServerFixture.SMALL);
                RawClient client = fixture.connect()) {
            client.send(GET + GET + GET);
            await().until(() -> fixture.calls.size() == 3);
            fixture.calls.get(2).answer("third");
            fixture.calls.get(1).answer("second");
            assertThat(client.hasInput()).isFalse();
            fixture.calls.get(0).answer("first");
            assertThat(client.answer()).endsWith("\r\n\r\nfirst");
            assertThat(client.answer()).endsWith("\r\n\r\nsecond");
            assertThat(client.answer()).endsWith("\r\n\r\nthird");
        }
    }

    @Test
    void noFurtherRequestStarts_whenPipelineLimitIsReached() throws Exception {
        try (ServerFixture fixture = new ServerFixture(ServerFixture.SMALL);
                RawClient client = fixture.connect();
                RawClient other = fixture.connect()) {
            client.send(GET.repeat(50));
            await().until(() -> fixture.calls.size() == 4);
            // Another connection is served meanwhile, and its round trip gives the first one time.
            other.send(GET);
            await().until(() -> fixture.calls.size() == 5);
            fixture.calls.get(4).answer("other");
            assertThat(other.answer()).endsWith("other");
            assertThat(fixture.calls).hasSize(5);
            fixture.calls.get(0).answer("0");
            assertThat(client.answer()).endsWith("\r\n\r\n0");
            await().until(() -> fixture.calls.size() == 6);
            for (int i = 1; i < 51; i++) {
                int call = i;
                await().until(() -> fixture.calls.size() > call);
                fixture.calls.get(call).answer("");
            }
            for (int i = 1; i < 50; i++) {
                assertThat(client.answer()).startsWith("HTTP/1.1 200 OK\r\n");
            }
        }
    }

    @Test
    void pipelinedRequestsAreAllAnswered_whenThousandsAreSent() throws Exception {
        try (ServerFixture fixture =
                        ServerFixture.answering(ServerFixture.SMALL, ServerFixture.echo());
                RawClient client = fixture.connect()) {
            client.send("GET / HTTP/1.1\r\n\r\n".repeat(5_000));
            for (int i = 0; i < 5_000; i++) {
                assertThat(client.answer()).startsWith("HTTP/1.1 200 OK\r\n");
            }
        }
    }

    @Test
    void requestIsRead_whenItArrivesByteByByte() throws Exception {
        try (ServerFixture fixture =
                        ServerFixture.answering(ServerFixture.SMALL, ServerFixture.echo());
                RawClient client = fixture.connect()) {
            String request = "POST /x HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello";
            for (int i = 0; i < request.length(); i++) {
                client.send(request.substring(i, i + 1));
            }
            assertThat(client.answer()).endsWith("\r\n\r\nhello");
        }
    }

    @Test
    void chunkedBodyIsReassembled() throws Exception {
        try (ServerFixture fixture =
                        ServerFixture.answering(ServerFixture.SMALL, ServerFixture.echo());
                RawClient client = fixture.connect()) {
            client.send("POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
            client.send("A;ext=1\r\n, chunked!\r\n0\r\nTrailer: t\r\n\r\n" + GET);
            assertThat(client.answer()).endsWith("\r\n\r\nhello, chunked!");
            assertThat(client.answer()).endsWith("Content-Length: 0\r\n\r\n");
        }
    }

    @Test
    void headResponseHasContentLengthButNoBody() throws Exception {
        try (ServerFixture fixture =
                        ServerFixture.answering(
                                ServerFixture.SMALL,
                                ServerFixture.always(ServerFixture.ok("hello")));
                RawClient client = fixture.connect()) {
            client.send("HEAD / HTTP/1.1\r\n\r\n" + GET);
            assertThat(client.head()).contains("\r\nContent-Length: 5\r\n");
            // The next answer starts right behind.
            assertThat(client.answer()).startsWith("HTTP/1.1 200").endsWith("\r\n\r\nhello");
        }
    }

    @Test
    void emptyResponseHasContentLengthZero() throws Exception {
        HttpAnswer none = new HttpAnswer(204, "No Content", HeaderList.EMPTY, new byte[0]);
        try (ServerFixture fixture =
                        ServerFixture.answering(ServerFixture.SMALL, ServerFixture.always(none));
                RawClient client = fixture.connect()) {
            assertThat(client.send(GET).answer())
                    .startsWith("HTTP/1.1 204 No Content\r\n")
                    .contains("\r\nContent-Length: 0\r\n");
        }
    }

    @Test
    void largeResponseIsSentWhole() throws Exception {
        String large = "0123456789".repeat(400_000);
        try (ServerFixture fixture =
                        ServerFixture.answering(
                                ServerFixture.SMALL,
                                ServerFixture.always(ServerFixture.ok(large)));
                RawClient client = fixture.connect()) {
            assertThat(client.send(GET).answer()).endsWith("\r\n\r\n" + large);
            await().until(() -> fixture.server.bytesInFlight() == 0);
        }
    }

    @Test
    void continueIsSent_afterEarlierPipelinedResponse() throws Exception {
        try (ServerFixture fixture = new ServerFixture(ServerFixture.SMALL);
                RawClient client = fixture.connect()) {
            client.send(GET);
            await().until(() -> fixture.calls.size() == 1);
            client.send("PUT /b HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
            fixture.calls.get(0).answer("first");
            assertThat(client.answer()).endsWith("\r\n\r\nfirst");
            assertThat(client.head()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            client.send("body");
            await().until(() -> fixture.calls.size() == 2);
            assertThat(fixture.calls.get(1).call().body()).asString().isEqualTo("body");
            fixture.calls.get(1).answer("second");
            assertThat(client.answer()).endsWith("\r\n\r\nsecond");
        }
    }

    @Test
    void continueIsOmitted_whenClientSendsBodyWithoutWaiting() throws Exception {
        try (ServerFixture fixture = new ServerFixture(ServerFixture.SMALL);
                RawClient client = fixture.connect()) {
            client.send(
                    GET
                            + "PUT /b HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"
                            + "body");
            await().until(() -> fixture.calls.size() == 2);
            fixture.calls.get(0).answer("first");
            fixture.calls.get(1).answer("second");
            assertThat(client.answer()).endsWith("first");
            assertThat(client.answer()).startsWith("HTTP/1.1 200").endsWith("second");
        }
    }

    @Test
    void connectionClosesAfterResponse_whenClientRequestsClose() throws Exception {
        try (ServerFixture fixture =
                        ServerFixture.answering(ServerFixture.SMALL, ServerFixture.echo());
                RawClient client = fixture.connect()) {
            client.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n" + GET);
            assertThat(client.rest())
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .endsWith("Content-Length: 0\r\nConnection: close\r\n\r\n");
            assertThat(fixture.calls).hasSize(1);
        }
    }

    @Test
    void http10ConnectionClosesAfterResponse_withoutKeepAlive() throws Exception {
        try (ServerFixture fixture =
                        ServerFixture.answering(ServerFixture.SMALL, ServerFixture.echo());
                RawClient client = fixture.connect()) {
            client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
            assertThat(client.answer()).contains("\r\nConnection: keep-alive\r\n");
            client.send("GET / HTTP/1.0\r\n\r\n");
            assertThat(client.rest()).contains("\r\nConnection: close\r\n");
        }
    }

    @Test
    void requestsAreAnswered_whenClientHalfClosesConnection() throws Exception {
        try (ServerFixture fixture = new ServerFixture(ServerFixture.SMALL);
                RawClient client = fixture.connect()) {
            client.send(GET + GET).endOutput();
            await().until(() -> fixture.calls.size() == 2);
            fixture.calls.get(1).answer("second");
            fixture.calls.get(0).answer("first");
            assertThat(client.answer()).endsWith("first");
            assertThat(client.rest()).endsWith("second");
        }
    }

    /** Where in the reading the end falls is chance; once it made a later answer fail. */
    @RepeatedTest(20)
    void queuedRequestsAreAnswered_whenClientHalfClosesConnection() throws Exception {
        try (ServerFixture fixture =
                        ServerFixture.answering(
                                ServerFixture.SMALL,
                                call ->
                                        CompletableFuture.supplyAsync(
                                                () -> ServerFixture.ok(call.target())));
                RawClient client = fixture.connect()) {
            for (int i = 0; i < 20; i++) {
                client.send("GET /" + i + " HTTP/1.1\r\n\r\n");
            }
            client.endOutput();
            for (int i = 0; i < 19; i++) {
                assertThat(client.answer()).endsWith("\r\n\r\n/" + i);
            }
            assertThat(client.rest()).endsWith("\r\n\r\n/19");
        }
    }

    @Test
    void requestFailsWith500_whenHandlerFails() throws Exception {
        try (ServerFixture fixture =
                        ServerFixture.answering(
                                ServerFixture.SMALL,
                                call ->
                                        switch (call.target()) {
                                            case "/throws" ->
                                                    throw new IllegalStateException("broken");
                                            case "/fails" ->
                                                    CompletableFuture.failedFuture(
                                                            new IllegalStateException("broken"));
                                            default -> CompletableFuture.completedFuture(null);
                                        });
                RawClient client = fixture.connect()) {
            for (String target : new String[] {"/throws", "/fails", "/null"}) {
                client.send("GET " + target + " HTTP/1.1\r\n\r\n");
                assertThat(client.answer())
                        .startsWith("HTTP/1.1 500 Internal Server Error\r\n")
                        .contains("\"code\":\"InternalError\"")
                        .doesNotContain("broken");
            }
        }
    }

    @Test
    void lastResponseIsDelivered_whenExcessBytesFollowRequest() throws Exception {
        String answer = "x".repeat(20_000);
        try (ServerFixture fixture =
                ServerFixture.answering(
                        ServerFixture.SMALL, ServerFixture.always(ServerFixture.ok(answer)))) {
            for (int i = 0; i < 50; i++) {
                try (RawClient client = fixture.connect()) {
                    client.send(
                            "GET / HTTP/1.1\r\nConnection: close\r\n\r\n" + "\r\n".repeat(100_000));
                    assertThat(client.rest()).startsWith("HTTP/1.1 200").endsWith(answer);
                }
            }
            // A client that ends is not lingered for.
            await().until(() -> fixture.server.connections() == 0);
        }
    }
}
