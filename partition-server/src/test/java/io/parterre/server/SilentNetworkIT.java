package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.manager.ReplicaReport;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Connections that stay silent while nothing is said of their end. */
@Execution(ExecutionMode.CONCURRENT)
final class SilentNetworkIT extends NetworkFaults {
    /** Connections are made again after multiples of it; the leader may change meanwhile. */
    private static final Duration SHORT = Duration.ofMillis(500);

    @Test
    void followerReconnects_whenOldConnectionsStaySilent() throws Exception {
        try (TestCluster cluster = start(SHORT)) {
            cluster.client.write(3);
            String leader = cluster.awaitLeader();
            String cutOff = others(cluster, leader).get(0);

            cluster.network().isolate(cutOff, others(cluster, cutOff));
            long age = staleness(cluster, cutOff);
            TestCluster.await().until(() -> staleness(cluster, cutOff) > age + 2_000);
            cluster.network().healForNewConnections();

            // The old ones stay as they are: it reconnects, or this never comes.
            TestCluster.await().until(() -> staleness(cluster, cutOff) < 1_000);
            cluster.client.write(3);
        }
    }

    @Test
    void leaderIsElected_whenAllOldConnectionsStaySilent() throws Exception {
        try (TestCluster cluster = start(SHORT)) {
            cluster.client.write(3);
            String leader = cluster.awaitLeader();
            String follower = others(cluster, leader).get(0);
            assertThat(staleness(cluster, follower)).isLessThan(60_000);
            cluster.founders()
                    .forEach(node -> cluster.network().isolate(node, others(cluster, node)));
            // Twice as long as a group waits for a leader before it reconnects.
            long age = staleness(cluster, follower);
            TestCluster.await().until(() -> staleness(cluster, follower) > age + 2_500);
            assertThat(ask(cluster, leader, page()).hasNotLeader()).isTrue();

            cluster.network().healForNewConnections();

            // One that stepped down for want of followers leaves the next election to others.
            TestCluster.await()
                    .until(
                            () ->
                                    cluster.founders().stream()
                                            .anyMatch(
                                                    node ->
                                                            cluster.report(
                                                                    node,
                                                                    ReplicaReport::getLeading)));
            cluster.client.write(3);
            cluster.client.assertAllThere();
        }
    }
}
