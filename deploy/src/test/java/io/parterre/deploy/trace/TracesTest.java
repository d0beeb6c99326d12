package io.parterre.deploy.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.parterre.deploy.config.TracesSection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which calls are recorded, and that a collector gets them. */
class TracesTest {
    private static final String NOWHERE = "http://127.0.0.1:1/v1/traces";

    private static boolean isRecorded(Tracer tracer, Context parent) {
        return tracer.spanBuilder("s").setParent(parent).startSpan().isRecording();
    }

    private static Context remote(boolean sampled) {
        SpanContext parent =
                SpanContext.createFromRemoteParent(
                        "0af7651916cd43dd8448eb211c80319c",
                        "b7ad6b7169203331",
                        sampled ? TraceFlags.getSampled() : TraceFlags.getDefault(),
                        TraceState.getDefault());
        return Context.root().with(Span.wrap(parent));
    }

    private static Tracer tracer(int oneIn, boolean followClients, List<AutoCloseable> opened) {
        Traces traces = Traces.start(new TracesSection(NOWHERE, oneIn, followClients), "1.2.3");
        opened.add(traces);
        return traces.tracer();
    }

    @Test
    void nothingIsRecorded_withoutEndpoint() {
        try (Traces traces = Traces.start(new TracesSection("", 1, true), "1.2.3")) {
            assertThat(isRecorded(traces.tracer(), Context.root())).isFalse();
            assertThat(isRecorded(traces.tracer(), remote(true))).isFalse();
        }
    }

    @Test
    void chanceDecides_whereNoParentDoes() throws Exception {
        List<AutoCloseable> opened = new CopyOnWriteArrayList<>();
        Tracer all = tracer(1, false, opened);
        assertThat(isRecorded(all, Context.root())).isTrue();
        // A client's trace that is not recorded, or that the front end has taken for undecided.
        assertThat(isRecorded(all, remote(false))).isTrue();
        Tracer few = tracer(100, false, opened);
        long recorded =
                IntStream.range(0, 20_000).filter(i -> isRecorded(few, Context.root())).count();
        assertThat(recorded).isBetween(120L, 290L);
        Tracer followed = tracer(1, true, opened);
        assertThat(isRecorded(followed, remote(false))).isFalse();
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    /** That of a front end at a server; that of a client, if clients are followed. */
    @Test
    void spanIsRecorded_whenItsParentIs() throws Exception {
        List<AutoCloseable> opened = new CopyOnWriteArrayList<>();
        assertThat(isRecorded(tracer(1_000_000_000, false, opened), remote(true))).isTrue();
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    @Test
    void collectorGetsSpans() throws IOException {
        List<String> got = new CopyOnWriteArrayList<>();
        HttpServer collector =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext(
                "/v1/traces",
                exchange -> {
                    byte[] body = exchange.getRequestBody().readAllBytes();
                    got.add(
                            exchange.getRequestHeaders().getFirst("Content-Type")
                                    + " "
                                    + body.length);
                    exchange.sendResponseHeaders(200, -1);
                    exchange.close();
                });
        collector.start();
        String address = "http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/traces";
        Traces traces = Traces.start(new TracesSection(address, 1, false), "1.2.3");
        traces.tracer().spanBuilder("s").startSpan().end();
        traces.close();
        await().until(() -> !got.isEmpty());
        assertThat(got.get(0)).matches("application/x-protobuf [1-9]\\d+");
        collector.stop(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"collector:4318", "ftp://h/v1", "http://", "http://h o/st"})
    void endpointIsRejected_withoutAddress(String endpoint) {
        assertThatThrownBy(() -> new TracesSection(endpoint, 1, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("endpoint: '" + endpoint + "' (expected: ");
    }

    @Test
    void sampleOneInIsRejected_belowOne() {
        assertThatThrownBy(() -> new TracesSection("", 0, false))
                .hasMessage("sampleOneIn: 0 (expected: 1..1000000000)");
    }
}
