package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.Commands.key;
import static io.parterre.server.RangeClient.command;
import static io.parterre.server.RangeClient.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A leader whose clock is set by hours, forward and back. */
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
    void timestampsGrowTheLeadStaysAndARepeatIsNotExecuted() throws Exception {
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

    private static long timestamp(RangeResponse response) {
        assertThat(response.getOutcome().hasWritten()).as("%s", response).isTrue();
        return response.getOutcome().getWritten().getTimestampTicks(0);
    }
}
