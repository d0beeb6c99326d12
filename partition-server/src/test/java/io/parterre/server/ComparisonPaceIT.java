package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.server.rpc.CompareConfig;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** How often and how fast members are compared, with real groups and stores. */
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
final class ComparisonPaceIT extends ComparedReplicas {
    @Test
    void rangeIsNotCompared_whenItsLeaderIsToldNotTo() throws Exception {
        try (TestCluster cluster =
                TestCluster.in(folder)
                        .settings(
                                node ->
                                        node.withCompare(
                                                node.nodeId().orElseThrow().equals("node-1")
                                                        ? new CompareConfig(
                                                                Duration.ZERO,
                                                                OFTEN.bytesPerSecondMax(),
                                                                OFTEN.snapshotAgeMax())
                                                        : OFTEN))
                        .start()) {
            cluster.awaitLeader();
            cluster.client.write(10);
            cluster.lead("node-2", 1);
            awaitMore(cluster, "off");
            assertThat(count(cluster, "equal")).isZero();
            cluster.lead("node-1", 1);
            flip(cluster, "node-3", "00000007");
            double before = total(cluster.node("node-1"));
            cluster.client.write(50);
            assertThat(total(cluster.node("node-1"))).isEqualTo(before).isZero();
        }
    }

    private static double total(RunningServer server) {
        return server.meters.find("partition_server_replica_comparisons_total").counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    /** 1.6 MB at 256 KiB a second take longer than rows of one moment are kept. */
    @Test
    void rowsAreReadNoFasterThanToldAndKeptNoLonger() throws Exception {
        CompareConfig slow =
                new CompareConfig(Duration.ofMillis(300), 256 << 10, Duration.ofSeconds(1));
        try (TestCluster cluster = cluster(folder, slow)) {
            cluster.client.writeLarge(4);
            awaitMore(cluster, "late");
            double equal = count(cluster, "equal");
            awaitMore(cluster, "late");
            assertThat(count(cluster, "equal")).as("it is too much to be read").isEqualTo(equal);
            cluster.client.write(20);
            cluster.client.assertAllThere();
        }
    }

    @Test
    void membersAreComparedAgain_whenOneThatWasUnreachableIsBack() throws Exception {
        try (TestCluster cluster = cluster(folder, OFTEN)) {
            cluster.client.write(20);
            cluster.lead("node-1", 1);
            cluster.kill("node-3");
            cluster.client.write(5);
            awaitMore(cluster, "unreachable");
            cluster.start("node-3");
            awaitMore(cluster, "equal");
            assertThat(count(cluster, "differs")).isZero();
            assertThat(count(cluster, "undecided")).isZero();
        }
    }
}
