package io.parterre.server;

import static io.parterre.server.DamagedCluster.HURT;
import static io.parterre.server.DamagedCluster.flip;
import static io.parterre.server.DamagedCluster.flipEntry;
import static io.parterre.server.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node finds what has turned bad on its disk, though nobody reads it. */
final class ScrubIT {
    @TempDir Path folder;

    @Test
    void scrubReportsCorruptLogSegment_whileReplicaServes() throws Exception {
        try (DamagedCluster damaged = DamagedCluster.scrubbing(folder)) {
            TestCluster cluster = damaged.nodes;
            cluster.lead(HURT, 1);
            flipEntry(damaged.file("raft", "log_\\d+-\\d+"));
            await().until(() -> !damaged.damageOfReplica().isEmpty());

            cluster.client.write(5);
            cluster.client.assertAllThere();
            assertThat(damaged.hurt().failures).isEmpty();
            assertThat(
                            damaged.hurt()
                                    .meters
                                    .get("partition_server_damaged_files_total")
                                    .tag("kind", "log")
                                    .counter()
                                    .count())
                    .isEqualTo(1);
            cluster.lead("node-2", 1);
            damaged.rebuildReplica();
        }
    }

    @Test
    void scrubFindsCorruptBlock_withoutAnyRead() throws Exception {
        try (DamagedCluster damaged = DamagedCluster.scrubbing(folder)) {
            TestCluster cluster = damaged.nodes;
            cluster.lead("node-1", 1);
            damaged.hurt().flush();
            flip(damaged.file("rows", ".*\\.sst"), 0.5);
            await().until(() -> !damaged.hurt().failures.isEmpty());
            cluster.kill(HURT);
            cluster.start(HURT);
            damaged.rebuildNode();
        }
    }
}
