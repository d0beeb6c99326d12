package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.parterre.key.KeyCodec;
import io.parterre.range.RangeId;
import io.parterre.server.rows.StoredDigest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A node whose disk is full while the others have room, and its start. */
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
final class FullFollowerIT extends DiskFaults {
    @Test
    void fullFollowerRefusesEntriesAndIsRead_untilItHasRoom() throws Exception {
        Optional<SmallDisk> mounted = SmallDisk.full(folder.resolve("node-1"), 24);
        assumeTrue(mounted.isPresent(), CANNOT_MOUNT);
        RangeId child = new RangeId(2);
        try (SmallDisk disk = mounted.get();
                TestCluster cluster = startWithSpaceOfNode1()) {
            cluster.client.put("a", "1", "read meanwhile");
            cluster.manager.split(
                    TestCluster.RANGE,
                    1,
                    Commands.bytes(KeyCodec.partition(Commands.TABLE, "m")),
                    child);
            TestCluster.await().until(() -> cluster.leads("node-2", child));
            cluster.manager.withdrawOrders();
            cluster.client.goOnWith(child);
            fill(cluster, 6 << 20);
            cluster.client.writeLarge(25);
            awaitFull(cluster);

            cluster.client.writeLarge(2);
            TestCluster.await().until(() -> isReadFresh(cluster, 2, Commands.key("a", "1")));
            assertThat(rows(cluster, "node-1", child)).isNotEqualTo(rows(cluster, "node-2", child));
            assertThat(cluster.node("node-1").failures).isEmpty();

            disk.grow(200);
            awaitRoom(cluster);
            TestCluster.await()
                    .pollInterval(Duration.ofMillis(100))
                    .ignoreException(IOException.class)
                    .until(
                            () ->
                                    rows(cluster, "node-1", child)
                                            .equals(rows(cluster, "node-2", child)));
            assertThat(cluster.node("node-1").failures).isEmpty();
        }
    }

    private static StoredDigest rows(TestCluster cluster, String node, RangeId rangeId)
            throws IOException {
        return StoredDigest.of(cluster.node(node).server.store(), rangeId);
    }

    @Test
    void nodeStartsOnceThereIsRoom_whenStartFindsDiskFull() throws Exception {
        Optional<SmallDisk> mounted = SmallDisk.full(folder.resolve("node-1"), 200);
        assumeTrue(mounted.isPresent(), CANNOT_MOUNT);
        try (SmallDisk disk = mounted.get();
                TestCluster cluster = start(false)) {
            cluster.withSpaces(node -> SpaceSource.of(cluster.folder(node)));
            cluster.kill("node-1");
            Path filler = folder.resolve("node-1").resolve("filler");
            SmallDisk.fill(filler, 0);

            cluster.start("node-1");

            cluster.client.write(3);
            assertThat(cluster.node("node-1").server.missing().orElseThrow())
                    .isEqualTo("its disk is full, it starts once there is room");
            Files.delete(filler);
            goOnByItself(cluster);
        }
    }
}
