package io.parterre.server;

import static io.parterre.server.DamagedCluster.HURT;
import static io.parterre.server.DamagedCluster.TABLE;
import static io.parterre.server.DamagedCluster.flipEntry;
import static io.parterre.server.RangeClient.scan;
import static io.parterre.server.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.range.RangeResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member whose log has turned bad on disk is rebuilt from the others, on the manager's word. */
final class DamagedReplicaIT {
    @TempDir Path folder;

    private void logDamagedAtStart(String segment) throws Exception {
        try (DamagedCluster damaged = DamagedCluster.start(folder)) {
            TestCluster cluster = damaged.nodes;
            cluster.lead("node-1", 1);
            cluster.kill(HURT);
            Path log = damaged.file("raft", segment);
            flipEntry(log);
            byte[] content = Files.readAllBytes(log);
            cluster.start(HURT);
            await().until(() -> !damaged.damageOfReplica().isEmpty());

            assertThat(damaged.damageOfReplica()).contains(log.getFileName().toString(), "offset");
            assertThat(damaged.file("raft", segment)).as("left as it is").hasBinaryContent(content);
            assertThat(
                            damaged.hurt()
                                    .meters
                                    .get("partition_server_damaged_replicas")
                                    .gauge()
                                    .value())
                    .isEqualTo(1);
            RangeResponse asked = damaged.hurt().client().call(scan(TABLE, 1_000));
            assertThat(asked.hasNotLeader()).as("%s", asked).isTrue();
            cluster.client.write(5);
            cluster.client.assertAllThere();

            cluster.kill(HURT);
            cluster.start(HURT);
            await().until(() -> !damaged.damageOfReplica().isEmpty());
            damaged.rebuildReplica();
        }
    }

    @Test
    void replicaIsRebuilt_whenClosedLogSegmentIsCorrupt() throws Exception {
        logDamagedAtStart("log_\\d+-\\d+");
    }

    @Test
    void replicaIsRebuilt_whenOpenLogSegmentIsCorrupt() throws Exception {
        logDamagedAtStart("log_inprogress_.*");
    }

    @Test
    void replicaIsRebuilt_whenItsLogIsMissing() throws Exception {
        try (DamagedCluster damaged = DamagedCluster.start(folder)) {
            TestCluster cluster = damaged.nodes;
            damaged.hurt().flush();
            cluster.kill(HURT);
            Path log = damaged.file("raft", "current").getParent();
            Files.move(log, folder.resolve("lost"));
            cluster.start(HURT);
            await().until(() -> damaged.damageOfReplica().contains("has no raft log"));
            cluster.client.assertAllThere();
            damaged.rebuildReplica();
        }
    }
}
