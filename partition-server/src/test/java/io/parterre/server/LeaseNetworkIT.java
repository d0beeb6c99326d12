package io.parterre.server;

import static io.parterre.server.Commands.key;
import static io.parterre.server.RangeClient.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.range.RangeResponse;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a leader may read, and whom a member may vote for, while the network is cut. */
@Execution(ExecutionMode.CONCURRENT)
final class LeaseNetworkIT extends NetworkFaults {
    @Test
    void leaderAcksNothingAndReadsOnlyInItsLease_whenIsolated() throws Exception {
        try (TestCluster cluster = start()) {
            cluster.client.write(3);
            String cutOff = cluster.awaitLeader();

            cluster.network().isolate(cutOff, others(cluster, cutOff));
            long cutNanos = System.nanoTime();
            CompletableFuture<RangeResponse> inVain = writeInVain(cluster, cutOff);
            String next = assertReadsEndWithTheLease(cluster, cutOff, cutNanos);

            assertThat(next).isNotEqualTo(cutOff);
            cluster.client.write(3);
            awaitFollower(cluster, cutOff);
            cluster.network().heal();

            cluster.awaitLevel(cluster.founders());
            cluster.client.write(3);
            assertWasInVain(cluster, inVain);
        }
    }

    @Test
    void voteIsWithheld_whileLeaderMayHoldItsReadLease() throws Exception {
        try (TestCluster cluster = start(LONG_LEASE)) {
            cluster.client.write(3);
            String leader = cluster.awaitLeader();
            String voter = others(cluster, leader).get(0);
            String candidate = others(cluster, leader).get(1);
            cluster.awaitLevel(cluster.founders());

            // The leader is heard all the time, however late the machine lets heartbeats be.
            CompletableFuture<Boolean> given =
                    CompletableFuture.supplyAsync(
                            () -> LateVote.isGiven(cluster.node(voter), voter, candidate));
            while (!given.isDone()) {
                write(cluster, leader, 1);
            }
            assertThat(given.get()).isFalse();
            // Its term is what it was.
            write(cluster, leader, 3);

            // From here on it is the voter alone that extends the lease, which is shorter than
            // this.
            cluster.network().cutBothWays(leader, candidate);
            long cutNanos = System.nanoTime();
            while (System.nanoTime() - cutNanos < LONG_LEASE.toNanos()) {
                write(cluster, leader, 1);
            }
            cluster.network().cutBothWays(leader, voter);
            assertThat(LateVote.isGiven(cluster.node(voter), voter, candidate)).isTrue();
            assertThat(ask(cluster, leader, read(key("p", "00000001"))).hasNotLeader()).isTrue();

            cluster.network().heal();
            cluster.client.write(3);
        }
    }
}
