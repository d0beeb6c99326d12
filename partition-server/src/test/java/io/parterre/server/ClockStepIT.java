package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.Commands.key;
import static io.parterre.server.RangeClient.command;
import static io.parterre.server.RangeClient.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.entity.Ticks;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes whose clock is set by hours, forward and back. */
final class ClockStepIT {
    private static final List<Duration> STEPS =
            List.of(
                    Duration.ofHours(3),
                    Duration.ofHours(-7),
                    Duration.ofDays(2),
                    Duration.ofDays(-30));

    @TempDir Path folder;

    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

    @Test
    void timestampsGrowLeaderStaysRetryIsIdempotent_whenClockSteps() throws Exception {
        FakeManager manager = new FakeManager("cluster-1", List.of(RunningServer.WHOLE));
        try (RunningServer running =
                RunningServer.start(
                        RunningServer.config(folder),
                        manager,
                        () -> Instant.now().plus(ahead.get()))) {
            RangeClient client = running.client();
            long last = timestamp(client.callWhenReady(command(insert(1, "p", "r", "0"))));
            for (int i = 0; i < STEPS.size(); i++) {
                ahead.accumulateAndGet(STEPS.get(i), Duration::plus);
                // Neither call is asked again: who leads does not depend on the clock.
                RangeRequest.Builder merge =
                        command(
                                Commands.write(
                                        2 + i, EntityOperation.Kind.MERGE, "p", "r", "" + i));
                RangeResponse first = client.call(merge.clone());
                assertThat(timestamp(first)).as("after %s", STEPS.get(i)).isGreaterThan(last);
                last = timestamp(first);
                assertThat(client.call(merge.clone()).getOutcome()).isEqualTo(first.getOutcome());
                assertThat(client.call(read(key("p", "r"))).hasRow()).isTrue();
            }
        }
    }

    /** Leases, elections and patience go by tickers that nobody can set. */
    @Test
    void noWriteIsLostNorReadStale_whenOneNodesClockStepsUnderLoad() throws Exception {
        List<String> three = List.of("node-1", "node-2", "node-3");
        try (TestCluster cluster = TestCluster.in(folder).founded()) {
            cluster.withClocks(
                    node ->
                            node.equals("node-1")
                                    ? () -> Instant.now().plus(ahead.get())
                                    : InstantSource.system());
            for (String node : three) {
                cluster.start(node);
            }
            cluster.client.write();
            AtomicBoolean enough = new AtomicBoolean();
            Thread load =
                    new Thread(
                            () -> {
                                while (!enough.get()) {
                                    cluster.client.write();
                                }
                            });
            load.start();
            long last = 0;
            int written = 0;
            for (Duration step : List.of(Duration.ofHours(1), Duration.ofHours(-1))) {
                for (String leader : List.of("node-1", "node-2")) {
                    cluster.lead(leader, 1);
                    ahead.set(step);
                    for (int i = 0; i < 10; i++) {
                        String text = "v-" + ++written;
                        last = writtenAfter(last, cluster, text);
                        RangeResponse row = cluster.client.call(read(key("p", "leap")));
                        assertThat(row.getRow().getValue().toStringUtf8())
                                .as("row after %s was written", text)
                                .contains(text);
                    }
                    assertThat(cluster.awaitLeader()).as("clock set by %s", step).isEqualTo(leader);
                }
            }
            enough.set(true);
            load.join();
            cluster.assertSameRows(three);
            cluster.client.assertAllThere();
            for (String node : three) {
                assertThat(cluster.node(node).failures).isEmpty();
            }
            assertThat(Ticks.of(Instant.now().plus(Duration.ofHours(2))))
                    .as("no timestamp is later than the clock that was ahead")
                    .isGreaterThan(last);
        }
    }

    private static long writtenAfter(long last, TestCluster cluster, String text) {
        long written = timestamp(cluster.client.put("p", "leap", text));
        assertThat(written).as(text).isGreaterThan(last);
        return written;
    }

    private static long timestamp(RangeResponse response) {
        assertThat(response.getOutcome().hasWritten()).as("%s", response).isTrue();
        return response.getOutcome().getWritten().getTimestampTicks(0);
    }
}
