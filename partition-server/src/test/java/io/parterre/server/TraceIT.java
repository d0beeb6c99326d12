package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.Commands.key;
import static io.parterre.server.RangeClient.command;
import static io.parterre.server.RangeClient.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spans of requests whose senders have some. */
final class TraceIT {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";
    private static final String SENDER = "00-" + TRACE + "-" + SPAN + "-01";

    @TempDir Path folder;

    @Test
    void commandIsTracedFromArrivalToApply() throws Exception {
        try (RunningServer server = RunningServer.start(folder)) {
            server.client().callWhenReady(command(insert(1, "p", "r0", "text")));
            assertThat(server.spans.getFinishedSpanItems()).isEmpty();

            server.client().call(command(insert(2, "p", "r", "text")).setTraceparent(SENDER));
            List<SpanData> spans =
                    TestCluster.await()
                            .until(server.spans::getFinishedSpanItems, all -> all.size() == 2);
            SpanData apply = span(spans, "apply");
            SpanData whole = span(spans, "command");
            assertThat(whole.getTraceId()).isEqualTo(TRACE);
            assertThat(whole.getParentSpanId()).isEqualTo(SPAN);
            assertThat(apply.getParentSpanId()).isEqualTo(whole.getSpanId());
            assertThat(whole.getEvents())
                    .extracting(EventData::getName)
                    .containsExactly("proposed", "appended");
            assertThat(whole.getAttributes().get(AttributeKey.longKey("parterre.range.id")))
                    .isEqualTo(1);
            assertThat(whole.getAttributes().get(AttributeKey.longKey("parterre.range.generation")))
                    .isEqualTo(1);
            assertThat(whole.getAttributes().get(AttributeKey.stringKey("parterre.outcome")))
                    .isEqualTo("outcome");
            assertThat(apply.getStartEpochNanos())
                    .isBetween(whole.getStartEpochNanos(), apply.getEndEpochNanos());
        }
    }

    @Test
    void readIsTraced_whenItsSenderIs() throws Exception {
        try (RunningServer server = RunningServer.start(folder)) {
            server.client().callWhenReady(read(key("p", "r")));
            server.client().call(read(key("p", "r")).setTraceparent(SENDER));
            List<SpanData> spans =
                    TestCluster.await()
                            .until(server.spans::getFinishedSpanItems, all -> all.size() == 1);
            assertThat(span(spans, "read_row").getParentSpanId()).isEqualTo(SPAN);
        }
    }

    /** A sender's mistake costs it its trace, not its answer. */
    @Test
    void requestIsAnswered_whenItsTraceIsMalformed() throws Exception {
        try (RunningServer server = RunningServer.start(folder)) {
            server.client().callWhenReady(read(key("p", "r")));
            assertThat(server.client().call(read(key("p", "r")).setTraceparent("?")).hasRow())
                    .isTrue();
        }
    }

    private static SpanData span(List<SpanData> spans, String name) {
        return spans.stream().filter(each -> each.getName().equals(name)).findFirst().orElseThrow();
    }
}
