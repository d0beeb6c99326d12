package io.parterre.server;

import static io.parterre.server.Commands.key;
import static io.parterre.server.RangeClient.command;
import static io.parterre.server.RangeClient.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.manager.ReplicaReport;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.RangeResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Connections that stay silent while nothing is said of their end. */
@Execution(ExecutionMode.CONCURRENT)
final class SilentNetworkIT extends NetworkFaults {
    @Test
    void readsNeverMissAckedWrites_whileNetworkFlaps() throws Exception {
        try (TestCluster cluster = start()) {
            cluster.write(1);
            String first = cluster.awaitLeader();
            try (FlappingNetwork flapping =
                    new FlappingNetwork(cluster.network(), first, others(cluster, first), 20)) {
                for (int version = 1; !flapping.hasEnded(); version++) {
                    assertThat(
                                    cluster.call(
                                                    command(
                                                            Commands.write(
                                                                    3_000_000L + version,
                                                                    EntityOperation.Kind
                                                                            .INSERT_OR_REPLACE,
                                                                    "register",
                                                                    "r",
                                                                    versionText(version))))
                                            .getOutcome()
                                            .hasWritten())
                            .isTrue();
                    for (String node : cluster.founders()) {
                        RangeResponse answer = ask(cluster, node, read(key("register", "r")));
                        if (answer.hasRow()) {
                            assertThat(answer.getRow().getValue().toStringUtf8())
                                    .as(node)
                                    .contains(versionText(version));
                        }
                    }
                }
            }
            cluster.awaitLevel(cluster.founders());
        }
    }

    @Test
    void followerReconnects_whenOldConnectionsStaySilent() throws Exception {
        try (TestCluster cluster = start()) {
            cluster.write(3);
            String leader = cluster.awaitLeader();
            String cutOff = others(cluster, leader).get(0);

            cluster.network().isolate(cutOff, others(cluster, cutOff));
            long age = staleness(cluster, cutOff);
            TestCluster.await().until(() -> staleness(cluster, cutOff) > age + 2_000);
            cluster.network().healForNewConnections();

            TestCluster.await()
                    .atMost(Duration.ofSeconds(15))
                    .until(() -> staleness(cluster, cutOff) < 1_000);
            cluster.write(3);
        }
    }

    @Test
    void leaderIsElected_whenAllOldConnectionsStaySilent() throws Exception {
        try (TestCluster cluster = start()) {
            cluster.write(3);
            String leader = cluster.awaitLeader();
            String follower = others(cluster, leader).get(0);
            assertThat(staleness(cluster, follower)).isLessThan(60_000);
            cluster.founders()
                    .forEach(node -> cluster.network().isolate(node, others(cluster, node)));
            // Twice as long as a group waits for a leader before it connects anew.
            long age = staleness(cluster, follower);
            TestCluster.await().until(() -> staleness(cluster, follower) > age + 2_500);
            assertThat(ask(cluster, leader, page()).hasNotLeader()).isTrue();

            cluster.network().healForNewConnections();

            // One that stepped down for want of followers leaves the next election to others.
            TestCluster.await()
                    .atMost(Duration.ofSeconds(15))
                    .until(
                            () ->
                                    cluster.founders().stream()
                                            .anyMatch(
                                                    node ->
                                                            cluster.report(
                                                                    node,
                                                                    ReplicaReport::getLeading)));
            cluster.write(3);
            cluster.assertAllThere();
        }
    }

    @Test
    void followerCatchesUp_afterConnectionsBreak() throws Exception {
        try (TestCluster cluster = start(CALM)) {
            cluster.write(3);
            String leader = cluster.awaitLeader();
            String cutOff = others(cluster, leader).get(0);
            for (int i = 0; i < 3; i++) {
                cluster.network().breakBothWays(leader, cutOff);
                write(cluster, leader, 5);
                cluster.network().heal();
                awaitRows(cluster, cutOff, 3 + nextRow - 1);
            }
        }
    }
}
