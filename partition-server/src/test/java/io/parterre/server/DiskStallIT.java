package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.HangingDisk.THREE;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.parterre.key.KeyCodec;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.range.RangeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk that hangs and gives no error: what waits for it waits, and nothing else is told. */
@Timeout(240)
final class DiskStallIT {
    @TempDir Path folder;

    /** The one refuses writes, since nobody else has it; of the other the lead goes elsewhere. */
    @Test
    void otherRangesChangeLeader_whenStalledNodeHoldsASoleReplica() throws Exception {
        HangingDisk disk = new HangingDisk();
        DiskConfig patience = new DiskConfig(Duration.ofMillis(500), Duration.ofMinutes(5));
        RangeId child = new RangeId(2);
        try (TestCluster cluster = HangingDisk.start(folder, disk, patience)) {
            ByteString cut = Commands.bytes(KeyCodec.partition(Commands.TABLE, "q"));
            cluster.manager.split(TestCluster.RANGE, 1, cut, child, "node-1");
            TestCluster.await().until(() -> leads(cluster, "node-1", child));
            cluster.manager.withdrawOrders();
            cluster.change(2, List.of("node-1", "node-2"));
            cluster.change(3, List.of("node-1"));
            cluster.write(1);

            disk.hangs.set(true);
            Thread writer = new Thread(cluster::write);
            writer.start();
            TestCluster.await()
                    .until(
                            () ->
                                    leads(cluster, "node-2", child)
                                            || leads(cluster, "node-3", child));
            assertThat(leads(cluster, "node-1", TestCluster.RANGE)).isTrue();
            TestCluster.await()
                    .until(() -> cluster.answer("node-1", insert(1_000, "p", "no", "")).hasBusy());
            assertThat(cluster.node("node-1").failures).isEmpty();
            disk.works.countDown();
            writer.join();
            cluster.write(5);
        }
    }

    /** As with one storage behind all of them: to end would help nobody. */
    @Test
    void nodesStayUpAndRejectWrites_whileAllDisksHang() throws Exception {
        HangingDisk disk = new HangingDisk();
        DiskConfig patience = new DiskConfig(Duration.ofMillis(500), Duration.ofSeconds(2));
        try (TestCluster cluster = TestCluster.founded(folder, THREE)) {
            cluster.withDisk(patience);
            for (String node : THREE) {
                cluster.start(node, disk);
            }
            cluster.write(5);
            String leader = cluster.awaitLeader();
            disk.hangs.set(true);
            Thread writer = new Thread(cluster::write);
            writer.start();
            TestCluster.await().until(() -> cluster.manager.diskStalled(leader));
            TestCluster.await()
                    .until(() -> cluster.answer(leader, insert(1_000, "p", "no", "")).hasBusy());
            // Longer than a node stays that others could do without.
            Awaitility.await()
                    .during(Duration.ofSeconds(4))
                    .atMost(Duration.ofSeconds(7))
                    .until(
                            () ->
                                    THREE.stream()
                                            .allMatch(
                                                    node -> cluster.node(node).failures.isEmpty()));
            disk.works.countDown();
            writer.join();
            cluster.write(5);
            cluster.assertSameRows(THREE);
        }
    }

    private static boolean leads(TestCluster cluster, String node, RangeId rangeId) {
        return cluster.manager.replica(node, rangeId).filter(ReplicaReport::getLeading).isPresent();
    }
}
