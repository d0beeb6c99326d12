package io.parterre.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.HttpCall;
import io.parterre.frontend.config.RecordCopy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that make the server hold as much as they can, and others that must not notice. */
final class MemoryFairnessIT {
    private static final String GREEDY = "127.0.0.2";
    private static final String OTHER = "127.0.0.3";
    private static final String PAGE = "x".repeat(1 << 20);
    private static final long BYTES_MAX = 16 << 20;

    private static final HttpServerConfig CONFIG =
            RecordCopy.with(
                    ServerFixture.SMALL,
                    Map.of(
                            "bytesInFlightMax",
                            BYTES_MAX,
                            "pipelinedMax",
                            16,
                            "connectionsMax",
                            20,
                            "headerTimeout",
                            Duration.ofSeconds(2),
                            "answerRateWindow",
                            Duration.ofSeconds(1),
                            "closeTimeout",
                            Duration.ofMillis(100)));

    private final List<RawClient> greedy = new ArrayList<>();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void hangUp() throws IOException {
        clock.shutdownNow();
        for (RawClient each : greedy) {
            each.close();
        }
    }

    /** Pages, and what was sent; to an account that is named, for as long as it has a share. */
    private static CompletionStage<HttpAnswer> handle(HttpCall call) {
        boolean charged = call.headers().first("account").map(call.memory()::chargeTo).orElse(true);
        if (!charged) {
            return CompletableFuture.completedFuture(
                    new HttpAnswer(503, "Busy", call.headers(), new byte[0]));
        }
        // On another thread, as answers of servers are: all that may be under way are.
        return CompletableFuture.supplyAsync(
                () -> ServerFixture.ok(call.target().equals("/page") ? PAGE : call.target()));
    }

    private void pipelinePages(ServerFixture fixture, String headers) throws IOException {
        for (int i = 0; i < 8; i++) {
            RawClient client = fixture.connectFrom(GREEDY);
            greedy.add(client);
            client.send(("GET /page HTTP/1.1\r\n" + headers + "\r\n").repeat(16));
        }
        clock.scheduleAtFixedRate(
                () -> greedy.forEach(RawClient::nibble), 0, 10, TimeUnit.MILLISECONDS);
    }

    private static void assertServed(RawClient client, String headers) throws IOException {
        String body = "y".repeat(60_000);
        for (int i = 0; i < 50; i++) {
            client.send("GET /page HTTP/1.1\r\n" + headers + "\r\n");
            assertThat(client.answer()).startsWith("HTTP/1.1 200").hasSizeGreaterThan(1 << 20);
            client.send("PUT /put HTTP/1.1\r\nContent-Length: 60000\r\n" + headers + "\r\n" + body);
            assertThat(client.answer()).startsWith("HTTP/1.1 200").endsWith("/put");
        }
    }

    @Test
    void othersAreServed_whileSlowReadersPipelinePages() throws Exception {
        try (ServerFixture fixture = ServerFixture.answering(CONFIG, MemoryFairnessIT::handle);
                RawClient other = fixture.connectFrom(OTHER)) {
            pipelinePages(fixture, "");
            await().until(() -> fixture.server.bytesInFlight() > BYTES_MAX / 2);

            assertServed(other, "");
            assertThat(fixture.server.bytesInFlight()).isLessThanOrEqualTo(BYTES_MAX);

            await("a client that takes a byte at a time is cut off")
                    .until(() -> fixture.server.cutOffs(CutOff.ANSWER_TOO_SLOW) > 0);
            assertServed(other, "");
        }
    }

    @Test
    void readerAboveMinimumRateIsKept_whileSlowOnesAreCutOff() throws Exception {
        try (ServerFixture fixture = ServerFixture.answering(CONFIG, MemoryFairnessIT::handle);
                RawClient steady = fixture.connectFrom(OTHER)) {
            steady.send("GET /page HTTP/1.1\r\n\r\n");
            pipelinePages(fixture, "");
            // Some 40 KiB a second, ten times what is asked for.
            AtomicLong taken = new AtomicLong();
            clock.scheduleAtFixedRate(
                    () -> {
                        try {
                            taken.addAndGet(steady.some(400));
                        } catch (IOException cutOff) {
                            taken.set(Long.MIN_VALUE / 2);
                        }
                    },
                    0,
                    10,
                    TimeUnit.MILLISECONDS);
            await().until(() -> fixture.server.cutOffs(CutOff.ANSWER_TOO_SLOW) > 0);
            long before = taken.get();
            await().until(() -> taken.get() > before + 50_000);
        }
    }

    @Test
    void otherAccountsAreServed_whenOneReadsSlowlyBehindSameProxy() throws Exception {
        try (ServerFixture fixture = ServerFixture.answering(CONFIG, MemoryFairnessIT::handle);
                RawClient other = fixture.connectFrom(GREEDY);
                RawClient more = fixture.connectFrom(OTHER)) {
            pipelinePages(fixture, "account: greedy\r\n");
            await().until(() -> fixture.server.bytesInFlight() > BYTES_MAX / 2);

            more.send("GET / HTTP/1.1\r\naccount: greedy\r\n\r\n");
            assertThat(more.answer()).startsWith("HTTP/1.1 503");
            assertServed(other, "account: other\r\n");
        }
    }

    @Test
    void headerGets431_whenItHasTooManyLinesAndNoEnd() throws Exception {
        try (ServerFixture fixture = ServerFixture.answering(CONFIG, MemoryFairnessIT::handle);
                RawClient other = fixture.connectFrom(OTHER)) {
            for (int i = 0; i < 10; i++) {
                RawClient client = fixture.connectFrom(GREEDY);
                greedy.add(client);
                client.send("GET / HTTP/1.1\r\n" + "a:\r\n".repeat(15_000));
            }
            assertServed(other, "");
            for (RawClient client : greedy) {
                assertThat(client.rest())
                        .startsWith("HTTP/1.1 431 Request Header Fields Too Large\r\n")
                        .contains("\r\nConnection: close\r\n");
            }
            await().until(() -> fixture.server.bytesInFlight() == 0);
        }
    }

    @Test
    void requestIsServed_withGreatestNumberOfHeaderLines() throws Exception {
        try (ServerFixture fixture = ServerFixture.answering(CONFIG, MemoryFairnessIT::handle);
                RawClient client = fixture.connectFrom(OTHER)) {
            client.send("GET / HTTP/1.1\r\n" + "a:\r\n".repeat(256) + "\r\n");
            assertThat(client.answer()).startsWith("HTTP/1.1 200");
            client.send("GET / HTTP/1.1\r\n" + "a:\r\n".repeat(257) + "\r\n");
            assertThat(client.answer()).startsWith("HTTP/1.1 431");
        }
    }

    @Test
    void trailerGets431_whenItHasTooManyLines() throws Exception {
        try (ServerFixture fixture = ServerFixture.answering(CONFIG, MemoryFairnessIT::handle);
                RawClient client = fixture.connectFrom(OTHER)) {
            client.send(
                    "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
                            + "a:\r\n".repeat(258));
            assertThat(client.answer()).startsWith("HTTP/1.1 431");
        }
    }

    @Test
    void headerIsCharged_untilItsTimeIsUp() throws Exception {
        HttpServerConfig small =
                RecordCopy.with(
                        CONFIG, Map.of("bytesInFlightMax", 300_000L, "bodyBytesMax", 4_096));
        try (ServerFixture fixture = ServerFixture.answering(small, MemoryFairnessIT::handle);
                RawClient other = fixture.connectFrom(OTHER)) {
            String header = "GET / HTTP/1.1\r\n" + "h: " + "v".repeat(25_000) + "\r\nh: ";
            for (int i = 0; i < 12; i++) {
                RawClient client = fixture.connectFrom(GREEDY);
                greedy.add(client);
                client.send(header);
            }
            await().until(() -> fixture.server.bytesInFlight(MemoryKind.HEADERS) > 150_000);
            // One that came last has no share left; it is told, though its header has no end.
            List<String> answers = new ArrayList<>();
            for (RawClient client : greedy) {
                other.send("GET / HTTP/1.1\r\n\r\n");
                assertThat(other.answer()).startsWith("HTTP/1.1 200");
                answers.add(client.rest());
            }
            assertThat(answers)
                    .allSatisfy(answer -> assertThat(answer).matches("(?s)|HTTP/1.1 503 .*"))
                    .contains("")
                    .anySatisfy(answer -> assertThat(answer).contains("ServerBusy"));
            assertThat(fixture.server.cutOffs(CutOff.HEADER_TOO_SLOW)).isPositive();
            await().until(() -> fixture.server.bytesInFlight() == 0);
        }
    }

    @Test
    void connectionWithoutFirstByteOutlivesHeaderTimeout() throws Exception {
        HttpServerConfig hasty =
                RecordCopy.with(CONFIG, Map.of("headerTimeout", Duration.ofMillis(50)));
        try (ServerFixture fixture = ServerFixture.answering(hasty, MemoryFairnessIT::handle);
                RawClient silent = fixture.connectFrom(OTHER);
                RawClient begun = fixture.connectFrom(OTHER)) {
            begun.send("GET / HTTP/1.1\r\nhalf");
            assertThat(begun.rest()).isEmpty();
            silent.send("GET /late HTTP/1.1\r\n\r\n");
            assertThat(silent.answer()).endsWith("/late");
        }
    }

    @Test
    void newClientIsServed_whenOneAddressTookAllConnections() throws Exception {
        try (ServerFixture fixture = ServerFixture.answering(CONFIG, MemoryFairnessIT::handle)) {
            for (int i = 0; i < 20; i++) {
                int connections = i + 1;
                greedy.add(fixture.connectFrom(GREEDY));
                await().until(() -> fixture.server.connections() == connections);
            }
            // The first one has been idle for longest, but for this.
            greedy.get(0).send("GET / HTTP/1.1\r\n\r\n");
            assertThat(greedy.get(0).answer()).startsWith("HTTP/1.1 200");

            try (RawClient newcomer = fixture.connectFrom(OTHER)) {
                newcomer.send("GET /new HTTP/1.1\r\n\r\n");
                assertThat(newcomer.answer()).endsWith("/new");
                assertThat(greedy.get(1).rest()).isEmpty();
                assertThat(fixture.server.cutOffs(CutOff.MADE_ROOM)).isEqualTo(1);
                // One more of the greedy has to go itself.
                try (RawClient another = fixture.connectFrom(GREEDY)) {
                    assertThat(another.rest()).isEmpty();
                }
                assertThat(fixture.server.cutOffs(CutOff.FULL)).isEqualTo(1);
            }
        }
    }

    @Test
    void newConnectionIsClosed_whenItsAddressHasItsMaximum() throws Exception {
        HttpServerConfig capped = RecordCopy.with(CONFIG, Map.of("connectionsPerAddressMax", 2));
        try (ServerFixture fixture = ServerFixture.answering(capped, MemoryFairnessIT::handle);
                RawClient first = fixture.connectFrom(GREEDY);
                RawClient second = fixture.connectFrom(GREEDY)) {
            await().until(() -> fixture.server.connections() == 2);
            try (RawClient third = fixture.connectFrom(GREEDY);
                    RawClient other = fixture.connectFrom(OTHER)) {
                assertThat(third.rest()).isEmpty();
                for (RawClient each : List.of(first, second, other)) {
                    assertThat(each.send("GET / HTTP/1.1\r\n\r\n").answer()).contains(" 200 ");
                }
            }
            assertThat(fixture.server.cutOffs(CutOff.ADDRESS_FULL)).isEqualTo(1);
        }
    }

    @Test
    void noFurtherRequestStarts_whileAnswersAreNotTaken() throws Exception {
        HttpServerConfig narrow =
                RecordCopy.with(CONFIG, Map.of("unsentAnswerBytesMax", 64 * 1_024));
        try (ServerFixture fixture =
                        ServerFixture.answering(
                                narrow, ServerFixture.always(ServerFixture.ok(PAGE)));
                RawClient client = fixture.connectFrom(GREEDY);
                RawClient other = fixture.connectFrom(OTHER)) {
            client.send("GET /page HTTP/1.1\r\n\r\n".repeat(100));
            await().until(() -> !fixture.calls.isEmpty());
            other.send("GET / HTTP/1.1\r\n\r\n");
            assertThat(other.answer()).startsWith("HTTP/1.1 200");
            assertThat(fixture.calls).hasSize(2);
            for (int i = 0; i < 100; i++) {
                assertThat(client.answer()).startsWith("HTTP/1.1 200").endsWith("xx");
            }
        }
    }
}
