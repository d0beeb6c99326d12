package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.parterre.crash.CrashHook;
import io.parterre.key.KeyCodec;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.range.RangeId;
import io.parterre.server.crash.CrashPoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk that hangs and gives no error: what waits for it waits, and nothing else is told. */
@Timeout(240)
final class DiskStallIT {
    private static final List<String> THREE = List.of("node-1", "node-2", "node-3");

    /** First acknowledged write elsewhere, with the watch's time of the defaults taken off. */
    private static final Duration FAILOVER_MAX = Duration.ofSeconds(10);

    @TempDir Path folder;

    /** Holds whatever is about to be synced or flushed, until the disk works again. */
    private static final class HangingDisk implements CrashHook<CrashPoint> {
        private final AtomicBoolean hangs = new AtomicBoolean();
        private final CountDownLatch works = new CountDownLatch(1);

        @Override
        public void reached(CrashPoint point) {
            boolean ofDisk =
                    point == CrashPoint.BEFORE_LOG_SYNC || point == CrashPoint.BEFORE_FLUSH;
            if (!ofDisk || !hangs.get()) {
                return;
            }
            try {
                works.await();
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private TestCluster start(HangingDisk disk, DiskConfig patience) throws Exception {
        TestCluster cluster = TestCluster.founded(folder, THREE);
        cluster.withDisk(patience);
        cluster.start("node-1", disk);
        cluster.start("node-2");
        cluster.start("node-3");
        cluster.write(5);
        cluster.lead("node-1", 1);
        return cluster;
    }

    @Test
    void leaderTransfersLeadershipAndReportsStall_whenItsDiskHangs() throws Exception {
        HangingDisk disk = new HangingDisk();
        DiskConfig patience = new DiskConfig(Duration.ofMillis(500), Duration.ofMinutes(5));
        try (TestCluster cluster = start(disk, patience)) {
            disk.hangs.set(true);
            long hungNanos = System.nanoTime();
            // The others are a majority: writes go on before anybody notices.
            cluster.write(5);
            TestCluster.await().until(() -> cluster.manager.diskStalled("node-1"));
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
            cluster.write(5);
            assertThat(Duration.ofNanos(System.nanoTime() - hungNanos)).isLessThan(FAILOVER_MAX);
            assertThat(cluster.node("node-1").server.missing())
                    .contains("its disk does not answer");
            cluster.assertAllThere();

            disk.works.countDown();
            TestCluster.await().until(() -> !cluster.manager.diskStalled("node-1"));
            assertThat(cluster.node("node-1").failures).isEmpty();
            cluster.assertSameRows(THREE);
            cluster.assertAllThereAt("node-1", 1);
        }
    }

    @Test
    void nodeStopsWithoutLosingAckedWrites_whenDiskStaysHung() throws Exception {
        HangingDisk disk = new HangingDisk();
        DiskConfig patience = new DiskConfig(Duration.ofMillis(500), Duration.ofSeconds(1));
        try (TestCluster cluster = start(disk, patience)) {
            disk.hangs.set(true);
            cluster.write(5);
            TestCluster.await().until(() -> !cluster.node("node-1").failures.isEmpty());
            assertThat(cluster.node("node-1").failures.peek().operation())
                    .isEqualTo("disk of the node");
            disk.works.countDown();
            cluster.kill("node-1");
            cluster.write(5);
            cluster.assertAllThere();

            cluster.start("node-1");
            cluster.awaitKnown("node-1");
            cluster.assertSameRows(THREE);
        }
    }

    /** Ratis asks it again after a while, when it has the entry in memory. */
    @Test
    void writeStaysUnacked_untilOnlyLiveFollowerSyncsIt() throws Exception {
        HangingDisk disk = new HangingDisk();
        DiskConfig patience = new DiskConfig(Duration.ofMinutes(1), Duration.ofMinutes(5));
        try (TestCluster cluster = start(disk, patience)) {
            cluster.lead("node-2", 1);
            cluster.assertSameRows(THREE);
            disk.hangs.set(true);
            cluster.kill("node-3");
            long before = cluster.acknowledged();
            Thread writer = new Thread(cluster::write);
            writer.start();
            Awaitility.await()
                    .during(Duration.ofSeconds(6))
                    .atMost(Duration.ofSeconds(12))
                    .until(() -> cluster.acknowledged() == before);
            disk.works.countDown();
            writer.join();
            assertThat(cluster.acknowledged()).isEqualTo(before + 1);
        }
    }

    @Test
    void writesContinue_whileOneFollowersDiskHangs() throws Exception {
        HangingDisk disk = new HangingDisk();
        DiskConfig patience = new DiskConfig(Duration.ofMillis(500), Duration.ofMinutes(5));
        try (TestCluster cluster = start(disk, patience)) {
            cluster.lead("node-2", 1);
            disk.hangs.set(true);
            cluster.write(20);
            TestCluster.await().until(() -> cluster.manager.diskStalled("node-1"));
            cluster.write(20);
            disk.works.countDown();
            cluster.assertSameRows(THREE);
            cluster.assertAllThere();
        }
    }

    /** No lead can be transferred while members change, and the change itself never ends. */
    @Test
    void writesContinue_whenLeadersDiskHangsInMembershipChange() throws Exception {
        HangingDisk disk = new HangingDisk();
        DiskConfig patience = new DiskConfig(Duration.ofMillis(500), Duration.ofMinutes(5));
        try (TestCluster cluster = start(disk, patience)) {
            cluster.start("node-4");
            cluster.awaitKnown("node-4");
            cluster.manager.join("node-4", 1, THREE);
            cluster.awaitJoining("node-4");
            disk.hangs.set(true);
            cluster.manager.withdrawOrders();
            cluster.manager.change(1, List.of("node-1", "node-2", "node-3", "node-4"));
            cluster.write(5);
            assertThat(cluster.node("node-1").failures).isEmpty();

            disk.works.countDown();
            cluster.awaitReport("node-4", replica -> replica.getGeneration() == 2);
            cluster.assertSameRows(List.of("node-1", "node-2", "node-3", "node-4"));
            cluster.assertAllThere();
        }
    }

    /** The one refuses writes, since nobody else has it; of the other the lead goes elsewhere. */
    @Test
    void otherRangesChangeLeader_whenStalledNodeHoldsASoleReplica() throws Exception {
        HangingDisk disk = new HangingDisk();
        DiskConfig patience = new DiskConfig(Duration.ofMillis(500), Duration.ofMinutes(5));
        RangeId child = new RangeId(2);
        try (TestCluster cluster = start(disk, patience)) {
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

    private static boolean leads(TestCluster cluster, String node, RangeId rangeId) {
        return cluster.manager.replica(node, rangeId).filter(ReplicaReport::getLeading).isPresent();
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
}
