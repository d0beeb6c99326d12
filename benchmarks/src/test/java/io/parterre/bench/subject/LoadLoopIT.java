package io.parterre.bench.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.Channel;
import io.parterre.bench.load.Endpoint;
import io.parterre.bench.load.FirstAnswer;
import io.parterre.bench.load.LoadLoop;
import io.parterre.bench.load.Measurement;
import io.parterre.bench.load.TenthsRecorder;
import io.parterre.bench.load.TimedRecorder;
import io.parterre.bench.load.Work;
import io.parterre.bench.work.Dataset;
import io.parterre.bench.work.RowNumbers;
import io.parterre.bench.work.Workload;
import io.parterre.testing.TestPorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class LoadLoopIT {
    private static final Dataset DATASET = new Dataset("orders", 1_000);

    private static Endpoint endpointOf(Channel channel) {
        return Endpoint.onLoopback(((InetSocketAddress) channel.localAddress()).getPort());
    }

    @Test
    void loadLoopRepeatsRequests_untilDurationEnds() throws Exception {
        Channel server = AnswerServer.bind(0);
        try {
            // First answers may take longer than the time measured: classes are loaded for them.
            new LoadLoop(
                            endpointOf(server),
                            8,
                            Workload.fillSingly(DATASET),
                            new TenthsRecorder(1_000))
                    .run(Duration.ofMinutes(1));
            Work reads = Workload.READ.start(DATASET, "growing", RowNumbers.from(0), 8);
            TimedRecorder recorder = new TimedRecorder(Duration.ofSeconds(1));
            new LoadLoop(endpointOf(server), 8, reads, recorder).run(Duration.ofSeconds(1));

            Measurement result = recorder.result();
            assertThat(result.errors()).isEmpty();
            assertThat(result.operations()).isGreaterThan(8);
            assertThat(result.latency().p50()).isGreaterThan(0);
        } finally {
            server.close().sync();
        }
    }

    @Test
    void loadLoopSendsExactlyAllWork() throws Exception {
        Channel server = AnswerServer.bind(0);
        try {
            TenthsRecorder recorder = new TenthsRecorder(1_000);
            new LoadLoop(endpointOf(server), 8, Workload.fillSingly(DATASET), recorder)
                    .run(Duration.ofMinutes(1));
            assertThat(recorder.loaded()).isEqualTo(1_000);
            assertThat(recorder.errors()).isEmpty();
        } finally {
            server.close().sync();
        }
    }

    @Test
    void loadLoopSendsNoRequest_beforeItIsDue() throws Exception {
        Channel server = AnswerServer.bind(0);
        try {
            long begun = System.nanoTime();
            long step = Duration.ofMillis(2).toNanos();
            TenthsRecorder recorder = new TenthsRecorder(100);
            AtomicLong asked = new AtomicLong();
            Work work = Workload.fillSingly(new Dataset("orders", 100));
            new LoadLoop(
                            endpointOf(server),
                            4,
                            work,
                            recorder,
                            (connection, now) -> begun + step * asked.incrementAndGet())
                    .run(Duration.ofMinutes(1));
            assertThat(recorder.loaded()).isEqualTo(100);
            assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(100 * step);
        } finally {
            server.close().sync();
        }
    }

    @Test
    void loadLoopCountsError_whenStatusIsUnexpected() throws Exception {
        Channel server = AnswerServer.bind(0);
        try {
            TenthsRecorder recorder = new TenthsRecorder(1_000);
            new LoadLoop(endpointOf(server), 2, Workload.fill(DATASET), recorder)
                    .run(Duration.ofMinutes(1));
            assertThat(recorder.loaded()).isZero();
            assertThat(recorder.errors()).containsOnlyKeys("status 204").containsValue(10L);
        } finally {
            server.close().sync();
        }
    }

    @Test
    void loadLoopFails_whenServerIsNotListening() throws Exception {
        Endpoint endpoint = Endpoint.onLoopback(TestPorts.next());
        Work reads = Workload.READ.start(DATASET, "growing", RowNumbers.from(0), 1);
        TimedRecorder recorder = new TimedRecorder(Duration.ofMinutes(1));
        assertThatThrownBy(
                        () -> new LoadLoop(endpoint, 1, reads, recorder).run(Duration.ofMinutes(1)))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> FirstAnswer.status(endpoint, Duration.ofSeconds(1)))
                .isInstanceOf(IOException.class);
    }
}
