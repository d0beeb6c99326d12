package io.parterre.server;

import static io.parterre.server.HangingDisk.THREE;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A follower whose disk hangs acknowledges nothing, and holds nobody up. */
@Timeout(240)
final class FollowerDiskStallIT {
    @TempDir Path folder;

    /** Ratis asks it again after a while, when it has the entry in memory. */
    @Test
    void writeStaysUnacked_untilOnlyLiveFollowerSyncsIt() throws Exception {
        HangingDisk disk = new HangingDisk();
        DiskConfig patience = new DiskConfig(Duration.ofMinutes(1), Duration.ofMinutes(5));
        try (TestCluster cluster = HangingDisk.start(folder, disk, patience)) {
            cluster.lead("node-2", 1);
            cluster.assertSameRows(THREE);
            disk.hangs.set(true);
            cluster.kill("node-3");
            long before = cluster.client.acknowledged();
            Thread writer = new Thread(cluster.client::write);
            writer.start();
            Awaitility.await()
                    .during(Duration.ofSeconds(6))
                    .until(() -> cluster.client.acknowledged() == before);
            disk.works.countDown();
            writer.join();
            assertThat(cluster.client.acknowledged()).isEqualTo(before + 1);
        }
    }

    @Test
    void writesContinue_whileOneFollowersDiskHangs() throws Exception {
        HangingDisk disk = new HangingDisk();
        DiskConfig patience = new DiskConfig(Duration.ofMillis(500), Duration.ofMinutes(5));
        try (TestCluster cluster = HangingDisk.start(folder, disk, patience)) {
            cluster.lead("node-2", 1);
            disk.hangs.set(true);
            cluster.client.write(20);
            TestCluster.await().until(() -> cluster.reports.diskStalled("node-1"));
            cluster.client.write(20);
            disk.works.countDown();
            cluster.assertSameRows(THREE);
            cluster.client.assertAllThere();
        }
    }
}
