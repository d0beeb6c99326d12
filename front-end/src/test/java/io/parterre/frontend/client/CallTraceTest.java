package io.parterre.frontend.client;

import static io.parterre.frontend.client.ClusterFixture.ACCOUNT;
import static io.parterre.frontend.client.ClusterFixture.get;
import static io.parterre.frontend.client.ClusterFixture.insert;
import static io.parterre.frontend.client.ClusterFixture.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.parterre.frontend.call.CallMemory;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.HttpCall;
import io.parterre.frontend.observe.TracedHandler;
import io.parterre.frontend.observe.Tracing;
import io.parterre.frontend.store.WriteResult;
import io.parterre.proto.range.RangeRequest;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Spans of calls and of what they ask of ranges. */
final class CallTraceTest {
    private static final String CLIENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final AttributeKey<Long> RANGE = AttributeKey.longKey("parterre.range.id");
    private static final AttributeKey<Long> GENERATION =
            AttributeKey.longKey("parterre.range.generation");
    private static final AttributeKey<String> NODE = AttributeKey.stringKey("parterre.node.id");
    private static final AttributeKey<String> SETBACK = AttributeKey.stringKey("parterre.setback");

    private static CompletionStage<WriteResult> write(ClusterFixture fixture) {
        return fixture.tables.write(ACCOUNT, "people", List.of(insert("x", "1")), soon());
    }

    private static List<SpanData> named(ClusterFixture fixture, String name) {
        return fixture.spans.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
    }

    @Test
    void serverIsToldOfAttempt_whenCallIsRecorded() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            Span call = fixture.tracer.spanBuilder("call").startSpan();
            get(Context.root().with(call).wrapSupplier(() -> write(fixture)).get());
            SpanData read = named(fixture, "range read").get(0);
            SpanData write = named(fixture, "range write").get(0);
            // The second is asked once the first has brought the table's id.
            for (SpanData attempt : List.of(read, write)) {
                assertThat(attempt.getParentSpanId()).isEqualTo(call.getSpanContext().getSpanId());
                assertThat(attempt.getAttributes().get(RANGE)).isEqualTo(1);
                assertThat(attempt.getAttributes().get(GENERATION)).isEqualTo(1);
                assertThat(attempt.getAttributes().get(NODE)).isEqualTo("a");
            }
            RangeRequest command =
                    fixture.a.requests.stream().filter(RangeRequest::hasCommand).findFirst().get();
            assertThat(command.getTraceparent())
                    .startsWith("00-" + write.getTraceId() + "-" + write.getSpanId() + "-");
        }
    }

    @Test
    void nothingIsTold_whenCallIsNotRecorded() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(write(fixture));
            assertThat(fixture.spans.getFinishedSpanItems()).isEmpty();
            assertThat(fixture.a.requests)
                    .isNotEmpty()
                    .allMatch(request -> request.getTraceparent().isEmpty());
        }
    }

    @Test
    void eachAttemptHasItsSpan_whenLeaderIsAnother() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(write(fixture));
            fixture.a.follows(ClusterFixture.ALL, "b");
            fixture.b.leads(ClusterFixture.ALL);
            Span call = fixture.tracer.spanBuilder("call").startSpan();
            get(
                    Context.root()
                            .with(call)
                            .wrapSupplier(
                                    () ->
                                            fixture.tables.read(
                                                    ACCOUNT,
                                                    "People",
                                                    "x",
                                                    "1",
                                                    Optional.empty(),
                                                    soon()))
                            .get());
            List<SpanData> attempts = named(fixture, "range read");
            assertThat(attempts).hasSizeGreaterThanOrEqualTo(2);
            assertThat(attempts.get(0).getAttributes().get(SETBACK)).isEqualTo("not_leader");
            SpanData last = attempts.get(attempts.size() - 1);
            assertThat(last.getAttributes().get(SETBACK)).isNull();
            assertThat(last.getAttributes().get(NODE)).isEqualTo("b");
        }
    }

    private static HttpAnswer handled(
            ClusterFixture fixture, boolean followsClients, String... headers) throws Exception {
        HttpCall call =
                new HttpCall(
                        "PUT",
                        "/acc/people?sig=SECRET",
                        HeaderList.of(headers),
                        new byte[3],
                        InetAddress.getLoopbackAddress(),
                        false,
                        CallMemory.UNCOUNTED);
        TracedHandler handler =
                new TracedHandler(
                        ignored ->
                                write(fixture)
                                        .thenApply(
                                                done ->
                                                        new HttpAnswer(
                                                                204,
                                                                "No Content",
                                                                HeaderList.of(
                                                                        "x-ms-request-id", "r-1"),
                                                                new byte[0])),
                        new Tracing(fixture.tracer, followsClients));
        return get(handler.handle(call));
    }

    @Test
    void callIsPartOfClientsTrace_whenClientsAreFollowed() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            assertThat(handled(fixture, true, "traceparent", CLIENT).status()).isEqualTo(204);
            SpanData call = named(fixture, "PUT").get(0);
            assertThat(call.getTraceId()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
            assertThat(call.getParentSpanId()).isEqualTo("b7ad6b7169203331");
            assertThat(named(fixture, "range write").get(0).getParentSpanId())
                    .isEqualTo(call.getSpanId());
            assertThat(fixture.spans.getFinishedSpanItems().toString()).doesNotContain("SECRET");
            assertThat(call.getAttributes().get(AttributeKey.longKey("http.response.status_code")))
                    .isEqualTo(204);
        }
    }

    /** The fixture's sampler records what no parent decides, and not what a parent does not. */
    @Test
    void clientDoesNotDecide_unlessClientsAreFollowed() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            handled(fixture, false, "traceparent", CLIENT);
            assertThat(fixture.spans.getFinishedSpanItems()).isEmpty();
            handled(fixture, false);
            assertThat(named(fixture, "PUT")).hasSize(1);
            assertThat(Span.fromContext(Context.current())).isEqualTo(Span.getInvalid());
        }
    }
}
