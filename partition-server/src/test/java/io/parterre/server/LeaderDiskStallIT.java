package io.parterre.server;

import static io.parterre.server.HangingDisk.THREE;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A leader whose disk hangs and gives no error gives its leadership away, and ends if it stays so.
 */
@Timeout(240)
final class LeaderDiskStallIT {
    @TempDir Path folder;

    @Test
    void leaderTransfersLeadershipAndReportsStall_whenItsDiskHangs() throws Exception {
        HangingDisk disk = new HangingDisk();
        DiskConfig patience = new DiskConfig(Duration.ofMillis(500), Duration.ofMinutes(5));
        try (TestCluster cluster = HangingDisk.start(folder, disk, patience)) {
            disk.hangs.set(true);
            // The others are a majority: writes go on before anybody notices.
            cluster.client.write(5);
            TestCluster.await().until(() -> cluster.reports.diskStalled("node-1"));
            TestCluster.await()
                    .until(
                            () ->
                                    THREE.subList(1, 3).stream()
                                            .anyMatch(
                                                    node ->
                                                            cluster.report(
                                                                    node,
                                                                    replica ->
                                                                            replica.getLeading())));
            cluster.client.write(5);
            assertThat(cluster.node("node-1").server.missing())
                    .contains("its disk does not answer");
            cluster.client.assertAllThere();

            disk.works.countDown();
            TestCluster.await().until(() -> !cluster.reports.diskStalled("node-1"));
            assertThat(cluster.node("node-1").failures).isEmpty();
            cluster.assertSameRows(THREE);
            cluster.assertAllThereAt("node-1", 1);
        }
    }

    @Test
    void nodeStopsWithoutLosingAckedWrites_whenDiskStaysHung() throws Exception {
        HangingDisk disk = new HangingDisk();
        DiskConfig patience = new DiskConfig(Duration.ofMillis(500), Duration.ofSeconds(1));
        try (TestCluster cluster = HangingDisk.start(folder, disk, patience)) {
            disk.hangs.set(true);
            cluster.client.write(5);
            TestCluster.await().until(() -> !cluster.node("node-1").failures.isEmpty());
            assertThat(cluster.node("node-1").failures.peek().operation())
                    .isEqualTo("disk of the node");
            disk.works.countDown();
            cluster.kill("node-1");
            cluster.client.write(5);
            cluster.client.assertAllThere();

            cluster.start("node-1");
            cluster.awaitKnown("node-1");
            cluster.assertSameRows(THREE);
        }
    }
}
