package io.parterre.deploy.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.node.NodeServiceGrpc;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Lines of an audit log that would be written every few seconds. */
final class RepeatedCallsTest {
    private static final String CHANGES =
            NodeServiceGrpc.getReadChangesMethod().getFullMethodName();
    private static final String ROWS = NodeServiceGrpc.getReadRowsMethod().getFullMethodName();

    private final AtomicLong nanos = new AtomicLong();
    private final RepeatedCalls calls = new RepeatedCalls(nanos::get);

    @Test
    void archiveCallIsWritten_onceAnHourForEachCaller() {
        assertThat(calls.isDue(CHANGES, "a")).isTrue();
        assertThat(calls.isDue(CHANGES, "a")).isFalse();
        assertThat(calls.isDue(CHANGES, "b")).isTrue();
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(59));
        assertThat(calls.isDue(CHANGES, "a")).isFalse();
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
        assertThat(calls.isDue(CHANGES, "a")).isTrue();
    }

    @Test
    void otherCallIsWrittenEachTime() {
        assertThat(calls.isDue(ROWS, "a")).isTrue();
        assertThat(calls.isDue(ROWS, "a")).isTrue();
    }
}
