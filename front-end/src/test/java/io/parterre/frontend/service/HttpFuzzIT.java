package io.parterre.frontend.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.entity.Ticks;
import io.parterre.frontend.auth.Account;
import io.parterre.frontend.auth.TokenKeys;
import io.parterre.frontend.call.CallMemory;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.HttpCall;
import io.parterre.frontend.config.RecordCopy;
import io.parterre.frontend.fuzz.FuzzRun;
import io.parterre.frontend.http.EventLoops;
import io.parterre.frontend.http.HttpServer;
import io.parterre.frontend.http.HttpServerConfig;
import io.parterre.frontend.service.CaseFile.Exchange;
import io.parterre.key.AccountId;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Bytes on a connection that are almost HTTP, to the real server with the real service behind it:
 * each is answered well-formed or the connection is closed, and a good request after it is served.
 */
final class HttpFuzzIT {
    private static final int CALLS_PER_STORE = 500;

    /** A whole answer may be owed for as little as 18 bytes. */
    private static final int ALLOCATED_BYTES_PER_BYTE = 1_000;

    private static final int PATIENCE_MILLIS = 20_000;
    private static final String GOOD =
            "GET /acct/Tables HTTP/1.1\r\nHost: h\r\nx-ms-version: 2019-02-02\r\n"
                    + "x-ms-date: "
                    + ServiceUnderTest.DATE
                    + "\r\nAuthorization: SharedKeyLite acct:x\r\nConnection: close\r\n\r\n";

    private final AtomicLong ids = new AtomicLong();
    private EventLoops loops;
    private HttpServer server;
    private TableService service;
    private int calls;

    @BeforeEach
    void start() throws Exception {
        InstantSource clock = InstantSource.fixed(ServiceUnderTest.NOW);
        loops = EventLoops.start("fuzz", 1);
        server =
                HttpServer.start(
                        "fuzz",
                        oneThread(),
                        loops,
                        this::handle,
                        new HttpRefusalWording(clock, this::id),
                        clock,
                        Optional.empty());
    }

    /** One thread, so that the store, which knows no threads, has only one. */
    private static HttpServerConfig oneThread() {
        return RecordCopy.with(
                HttpServerConfig.listeningOn("127.0.0.1", 0),
                Map.of("eventLoopThreads", 1, "lingerTimeout", Duration.ofMillis(500)));
    }

    @AfterEach
    void stop() {
        server.close();
        loops.close();
    }

    private String id() {
        return "id" + ids.incrementAndGet();
    }

    /** Signs what names the account, whatever the path has become: else nothing gets further. */
    private CompletionStage<HttpAnswer> handle(HttpCall call) {
        if (calls++ % CALLS_PER_STORE == 0) {
            renew();
        }
        List<HeaderList.Header> headers = new ArrayList<>();
        String date = call.headers().first("x-ms-date").orElse("");
        for (HeaderList.Header header : call.headers().headers()) {
            boolean sign = header.value().startsWith("SharedKeyLite acct:");
            headers.add(
                    sign
                            ? new HeaderList.Header(
                                    header.name(),
                                    "SharedKeyLite acct:"
                                            + ServiceUnderTest.sign(
                                                    ServiceUnderTest.KEY,
                                                    date + "\n/acct" + call.rawPath()))
                            : header);
        }
        return service.handle(
                new HttpCall(
                        call.method(),
                        call.target(),
                        new HeaderList(headers),
                        call.body(),
                        call.remote(),
                        call.secure(),
                        CallMemory.UNCOUNTED));
    }

    private void renew() {
        FakeTableStore store = new FakeTableStore(Ticks.of(ServiceUnderTest.NOW));
        Account account =
                new Account(new AccountId(1), "acct", List.of(ServiceUnderTest.KEY), false);
        store.createTable(account.accountId(), "T00", ServiceUnderTest.NOW.plusSeconds(9));
        service =
                new TableService(
                        name -> Optional.of(account).filter(own -> own.name().equals(name)),
                        TokenKeys.NONE,
                        store,
                        InstantSource.fixed(ServiceUnderTest.NOW),
                        TableServiceConfig.defaults(),
                        this::id);
    }

    @Test
    void nextRequestIsServed_afterFuzzedHttpBytes() throws Exception {
        List<String> seeds = new ArrayList<>(CaseSeeds.of(HttpFuzzIT::request));
        seeds.add("GET /" + "a".repeat(40_000) + " HTTP/1.1\r\n\r\n");
        seeds.add("GET / HTTP/1.1\r\n" + "a: b\r\n".repeat(10_000) + "\r\n");
        seeds.add("GET / HTTP/1.1\r\n\r\n".repeat(1_000));
        seeds.add("\r\n".repeat(30_000));
        seeds.add(chunked("1\r\na\r\n".repeat(10_000) + "0\r\n\r\n"));
        seeds.add(chunked("0".repeat(40_000) + "\r\n\r\n"));
        seeds.add(chunked("1;" + "a".repeat(40_000) + "\r\na\r\n0\r\n\r\n"));
        seeds.add(chunked("0\r\n" + "a: b\r\n".repeat(10_000) + "\r\n"));
        FuzzRun.run(
                "http",
                seeds,
                new String[] {
                    "\r\n",
                    "\r\n\r\n",
                    "\n",
                    "\r",
                    " HTTP/1.1\r\n",
                    " HTTP/1.0\r\n",
                    "HTTP/2.0",
                    "Content-Length: 5\r\n",
                    "Content-Length: 0\r\n",
                    "Content-Length: -1\r\n",
                    "Content-Length: +5\r\n",
                    "Content-Length: 5, 6\r\n",
                    "Content-Length: 99999999999999999999\r\n",
                    "Transfer-Encoding: chunked\r\n",
                    "Transfer-Encoding: identity, chunked\r\n",
                    "Transfer-Encoding : chunked\r\n",
                    "5\r\nhello\r\n",
                    "0\r\n\r\n",
                    "ffffffffffffffff\r\n",
                    "0x5\r\n",
                    ";a=b",
                    "Expect: 100-continue\r\n",
                    "Connection: close\r\n",
                    "Connection: upgrade\r\n",
                    "Upgrade: h2c\r\n",
                    "Host: \r\n",
                    "Host: acct.table.example.com\r\n",
                    " folded",
                    "X-HTTP-Method: MERGE\r\n",
                    "Origin: http://a\r\n",
                    "OPTIONS",
                    "HEAD",
                    "PATCH",
                    "http://h/acct/Tables",
                    "*",
                    "/../",
                    "//",
                    "%2f",
                    "%00",
                    "?",
                    "#",
                    "\u0000"
                },
                () -> FuzzRun.allocatedByThreads("http-"),
                ALLOCATED_BYTES_PER_BYTE,
                this::exchange);
    }

    private static String chunked(String body) {
        return "POST /acct/Tables HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + body;
    }

    private static Stream<String> request(Exchange exchange) {
        StringBuilder text =
                new StringBuilder(exchange.method() + " " + exchange.target() + " HTTP/1.1\r\n");
        HeaderList given = exchange.headers();
        HeaderList usual =
                HeaderList.of(
                        "Host",
                        ServiceUnderTest.HOST,
                        "x-ms-date",
                        ServiceUnderTest.DATE,
                        "x-ms-version",
                        "2019-02-02",
                        "Authorization",
                        "SharedKeyLite acct:x");
        usual.headers().stream()
                .filter(header -> !given.has(header.name()))
                .filter(header -> !exchange.target().contains("sig=") || !isKey(header))
                .forEach(header -> line(text, header));
        given.headers().stream()
                .filter(header -> !header.value().equals("(none)"))
                .forEach(header -> line(text, header));
        String body =
                new String(
                        exchange.body().getBytes(java.nio.charset.StandardCharsets.UTF_8),
                        ISO_8859_1);
        return Stream.of(text + "Content-Length: " + body.length() + "\r\n\r\n" + body);
    }

    private static boolean isKey(HeaderList.Header header) {
        return header.name().equals("Authorization");
    }

    private static void line(StringBuilder text, HeaderList.Header header) {
        text.append(header.name()).append(": ").append(header.value()).append("\r\n");
    }

    private void exchange(byte[] input) throws IOException {
        for (int status : statuses(send(input))) {
            assertThat(status).isNotEqualTo(500);
        }
        assertThat(statuses(send(GOOD.getBytes(ISO_8859_1)))).containsExactly(200);
        assertThat(server.bytesInFlight()).isZero();
    }

    /** All that comes back until the server ends the connection, which it has to. */
    private String send(byte[] input) throws IOException {
        try (Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setTcpNoDelay(true);
            try {
                socket.getOutputStream().write(input);
                socket.shutdownOutput();
            } catch (IOException endedBeforeAllWasSent) {
                // It may end as soon as it knows enough; what it said is read below.
            }
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    /** Status of each answer; they follow each other without a byte between. */
    private static List<Integer> statuses(String answers) {
        List<Integer> statuses = new ArrayList<>();
        int at = 0;
        while (at < answers.length()) {
            int headEnd = answers.indexOf("\r\n\r\n", at);
            assertThat(answers.startsWith("HTTP/1.1 ", at) && headEnd > 0)
                    .as(() -> "no answer: " + answers)
                    .isTrue();
            String head = answers.substring(at, headEnd + 4);
            int status = Integer.parseInt(head.substring(9, 12));
            statuses.add(status);
            at = headEnd + 4;
            // An answer to HEAD has a length and no body.
            boolean bodiless = at == answers.length() || answers.startsWith("HTTP/1.1 ", at);
            at += status == 100 || bodiless ? 0 : length(head);
            assertThat(at).as("answer is whole").isLessThanOrEqualTo(answers.length());
        }
        return statuses;
    }

    private static int length(String head) {
        return Stream.of(head.split("\r\n"))
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length: "))
                .map(line -> Integer.parseInt(line.substring(16)))
                .findFirst()
                .orElse(0);
    }
}
