package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.Commands.key;
import static io.parterre.server.RangeClient.command;
import static io.parterre.server.RangeClient.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.range.RangeResponse;
import java.time.Duration;
import java.util.List;
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
            cluster.write(3);
            String deaf = cluster.awaitLeader();

            others(cluster, deaf).forEach(other -> cluster.network().cut(other, deaf));
            long cutNanos = System.nanoTime();
            CompletableFuture<RangeResponse> inVain = writeInVain(cluster, deaf);
            assertReadsEndWithTheLease(cluster, deaf, cutNanos);

            // The network is as it was: the others go on without it, and it does not disturb them.
            cluster.write(20);
            cluster.network().heal();
            cluster.awaitLevel(cluster.founders());
            // Its followers took the write, and nobody told them not to commit it.
            assertThat(inVain.get(20, TimeUnit.SECONDS).hasOutcome()).isFalse();
            assertThat(cluster.call(command(insert(1_000_000, "q", "in vain", "x"))).hasOutcome())
                    .isTrue();
            assertThat(cluster.call(page()).getScanPage().getRowCount()).isEqualTo(24);
        }
    }

    @Test
    void leaderIsReplaced_whenItsOutboundLinksAreCut() throws Exception {
        try (TestCluster cluster = start()) {
            cluster.write(3);
            String mute = cluster.awaitLeader();

            others(cluster, mute).forEach(other -> cluster.network().cut(mute, other));
            long cutNanos = System.nanoTime();
            CompletableFuture<RangeResponse> inVain = writeInVain(cluster, mute);
            assertReadsEndWithTheLease(cluster, mute, cutNanos);

            cluster.write(20);
            awaitFollower(cluster, mute);
            cluster.network().heal();
            cluster.awaitLevel(cluster.founders());
            assertWasInVain(cluster, inVain);
        }
    }

    @Test
    void followerRejoinsWithoutElection_afterLongIsolation() throws Exception {
        try (TestCluster cluster = start(CALM)) {
            cluster.write(3);
            String leader = cluster.awaitLeader();
            String cutOff = others(cluster, leader).get(0);
            awaitRows(cluster, cutOff, 3);

            cluster.network().isolate(cutOff, others(cluster, cutOff));
            long age = staleness(cluster, cutOff);
            TestCluster.await().until(() -> staleness(cluster, cutOff) > age + 4_000);
            write(cluster, leader, 10);
            RangeResponse old = ask(cluster, cutOff, page().setFollowerRead(true));
            assertThat(old.getScanPage().getRowCount()).isEqualTo(3);
            cluster.network().heal();

            TestCluster.await().until(() -> staleness(cluster, cutOff) < 1_000);
            cluster.awaitLevel(cluster.founders());
            // A term of another would have cost the leader its office, and these an answer.
            write(cluster, leader, 10);
            assertThat(cluster.awaitLeader()).isEqualTo(leader);
        }
    }

    @Test
    void leaderKeepsLeadership_whileMajorityHearsIt() throws Exception {
        try (TestCluster cluster = start(CALM)) {
            cluster.write(3);
            String leader = cluster.awaitLeader();
            String far = others(cluster, leader).get(0);

            cluster.network().cutBothWays(leader, far);
            long age = staleness(cluster, far);
            // It asks the third one for its vote all the time.
            while (staleness(cluster, far) < age + 5_000) {
                write(cluster, leader, 1);
            }

            cluster.network().heal();
            TestCluster.await().until(() -> staleness(cluster, far) < 1_000);
            write(cluster, leader, 3);
        }
    }

    @Test
    void writesContinue_whileTwoFollowersCannotReachEachOther() throws Exception {
        try (TestCluster cluster = start(CALM)) {
            cluster.write(3);
            String leader = cluster.awaitLeader();
            List<String> followers = others(cluster, leader);
            cluster.network().cutBothWays(followers.get(0), followers.get(1));
            long endNanos = System.nanoTime() + Duration.ofSeconds(2).toNanos();
            while (System.nanoTime() < endNanos) {
                write(cluster, leader, 1);
            }
        }
    }

    @Test
    void leaderServesWritesAndReads_whenNetworkIsSlow() throws Exception {
        try (TestCluster cluster = start(CALM)) {
            cluster.write(3);
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
