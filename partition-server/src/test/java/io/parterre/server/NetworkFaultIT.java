package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.Commands.key;
import static io.parterre.server.RangeClient.command;
import static io.parterre.server.RangeClient.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.range.RangeResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A range with three replicas whose network loses, delays or splits. */
@Execution(ExecutionMode.CONCURRENT)
final class NetworkFaultIT extends NetworkFaults {
    @Test
    void leaderStepsDown_whenItsInboundLinksAreCut() throws Exception {
        try (TestCluster cluster = start()) {
            cluster.client.write(3);
            String deaf = cluster.awaitLeader();

            others(cluster, deaf).forEach(other -> cluster.network().cut(other, deaf));
            long cutNanos = System.nanoTime();
            CompletableFuture<RangeResponse> inVain = writeInVain(cluster, deaf);
            assertReadsEndWithTheLease(cluster, deaf, cutNanos);

            // The network is as it was: the others go on without it, and it does not disturb them.
            cluster.client.write(20);
            cluster.network().heal();
            cluster.awaitLevel(cluster.founders());
            // Its followers took the write, and nobody told them not to commit it.
            assertThat(inVain.get(60, TimeUnit.SECONDS).hasOutcome()).isFalse();
            assertThat(
                            cluster.client
                                    .call(command(insert(1_000_000, "q", "in vain", "x")))
                                    .hasOutcome())
                    .isTrue();
            assertThat(cluster.client.call(page()).getScanPage().getRowCount()).isEqualTo(24);
        }
    }

    @Test
    void leaderIsReplaced_whenItsOutboundLinksAreCut() throws Exception {
        try (TestCluster cluster = start()) {
            cluster.client.write(3);
            String mute = cluster.awaitLeader();

            others(cluster, mute).forEach(other -> cluster.network().cut(mute, other));
            long cutNanos = System.nanoTime();
            CompletableFuture<RangeResponse> inVain = writeInVain(cluster, mute);
            assertReadsEndWithTheLease(cluster, mute, cutNanos);

            cluster.client.write(20);
            awaitFollower(cluster, mute);
            cluster.network().heal();
            cluster.awaitLevel(cluster.founders());
            assertWasInVain(cluster, inVain);
        }
    }

    @Test
    void leaderServesWritesAndReads_whenNetworkIsSlow() throws Exception {
        try (TestCluster cluster = start(CALM)) {
            cluster.client.write(3);
            String leader = cluster.awaitLeader();
            for (String from : cluster.founders()) {
                for (String to : others(cluster, from)) {
                    cluster.network().delay(from, to, Duration.ofMillis(200));
                }
            }
            for (int i = 0; i < 8; i++) {
                write(cluster, leader, 1);
                // The answer to a heartbeat comes in time to extend the lease, or the read waits.
                RangeResponse row =
                        ask(cluster, leader, read(key("w", String.format("%08d", nextRow - 1))));
                assertThat(row.getRow().hasValue()).as(row.toString()).isTrue();
            }
        }
    }
}
