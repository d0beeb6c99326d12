package io.parterre.frontend.http;

import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.HttpCall;
import io.parterre.frontend.call.HttpHandler;
import io.parterre.frontend.config.RecordCopy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;

/** A server on a free port whose handler answers when the test says so. */
final class ServerFixture implements AutoCloseable {
    /** Small limits, so that tests reach them. */
    static final HttpServerConfig SMALL =
            RecordCopy.with(
                    HttpServerConfig.listeningOn("127.0.0.1", 0),
                    Map.of(
                            "eventLoopThreads",
                            2,
                            "connectionsMax",
                            2_000,
                            "bodyBytesMax",
                            64 * 1_024,
                            "bytesInFlightMax",
                            512 * 1_024L,
                            "pipelinedMax",
                            4,
                            "idleTimeout",
                            Duration.ofSeconds(60),
                            "callTimeout",
                            Duration.ofSeconds(60),
                            "closeTimeout",
                            Duration.ofSeconds(5)));

    /** Would throw away what a refused client sends for longer than a test waits. */
    static final HttpServerConfig LINGERING =
            RecordCopy.with(SMALL, Map.of("lingerTimeout", Duration.ofSeconds(60)));

    static {
        Awaitility.setDefaultPollInterval(Duration.ofMillis(5));
        Awaitility.setDefaultPollDelay(Duration.ZERO);
    }

    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2026-11-27T08:09:10Z"));

    final HttpServer server;
    private final EventLoops loops;
    final List<Pending> calls = new CopyOnWriteArrayList<>();

    /** A call the handler got, and the answer it owes. */
    record Pending(HttpCall call, CompletableFuture<HttpAnswer> answer) {
        void answer(String body) {
            answer.complete(ok(body));
        }
    }

    /** Its calls are answered by the test. */
    ServerFixture(HttpServerConfig config) throws IOException {
        this(config, Optional.empty(), Optional.empty());
    }

    /** Its calls are recorded and answered by a handler. */
    static ServerFixture answering(HttpServerConfig config, HttpHandler handler)
            throws IOException {
        return new ServerFixture(config, Optional.of(handler), Optional.empty());
    }

    /** The same under TLS. */
    static ServerFixture answering(
            HttpServerConfig config, HttpHandler handler, Supplier<SSLContext> tls)
            throws IOException {
        return new ServerFixture(config, Optional.of(handler), Optional.of(tls));
    }

    private ServerFixture(
            HttpServerConfig config,
            Optional<HttpHandler> handler,
            Optional<Supplier<SSLContext>> tls)
            throws IOException {
        this.loops = EventLoops.start("test", config.eventLoopThreads());
        this.server =
                HttpServer.start(
                        "test",
                        config,
                        loops,
                        call -> take(call, handler),
                        (why, request) -> inJson(why),
                        CLOCK,
                        tls);
    }

    private CompletionStage<HttpAnswer> take(HttpCall call, Optional<HttpHandler> handler) {
        CompletableFuture<HttpAnswer> answer = new CompletableFuture<>();
        calls.add(new Pending(call, answer));
        return handler.isPresent() ? handler.get().handle(call) : answer;
    }

    private static HttpAnswer inJson(HttpRefusal why) {
        return new HttpAnswer(
                why.status(),
                why.reason(),
                HeaderList.EMPTY,
                ("{\"code\":\"" + why.code() + "\"}").getBytes(StandardCharsets.US_ASCII));
    }

    static HttpAnswer ok(String body) {
        return new HttpAnswer(
                200, "OK", HeaderList.EMPTY, body.getBytes(StandardCharsets.ISO_8859_1));
    }

    static HttpHandler always(HttpAnswer answer) {
        return call -> CompletableFuture.completedFuture(answer);
    }

    static HttpHandler echo() {
        return call ->
                CompletableFuture.completedFuture(
                        ok(new String(call.body(), StandardCharsets.ISO_8859_1)));
    }

    RawClient connect() throws IOException {
        return new RawClient(server.address());
    }

    /** Connects from another loopback address, such as 127.0.0.2. */
    RawClient connectFrom(String address) throws IOException {
        return RawClient.from(address, server.address());
    }

    @Override
    public void close() {
        server.close();
        loops.close();
    }
}
