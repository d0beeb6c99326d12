package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.disk.DiskSpace;
import io.parterre.error.BusyReason;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.RangeResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes whose disks are as full as the test says. */
@Timeout(240)
final class DiskSpaceIT {
    private static final DiskSpace HALF_USED = usedPercent(50);
    private static final Scope DROPPED = Scope.ofTable(Commands.ACCOUNT, new ObjectId(77));
    private static final AtomicLong SEQUENCES = new AtomicLong();

    @TempDir Path folder;

    private final AtomicReference<DiskSpace> space = new AtomicReference<>(HALF_USED);

    private static DiskSpace usedPercent(long percent) {
        return new DiskSpace((100 - percent) << 30, 100L << 30);
    }

    /** Nodes 1 to 3, all with disks like this one; a fourth would have room. */
    private TestCluster start() throws Exception {
        TestCluster cluster = TestCluster.in(folder).founded();
        cluster.withSpaces(node -> node.equals("node-4") ? () -> HALF_USED : space::get);
        for (String node : cluster.founders()) {
            cluster.start(node);
        }
        return cluster;
    }

    private static double gauge(TestCluster cluster, String name) {
        return cluster.node("node-1").meters.get(name).gauge().value();
    }

    @Test
    void nodeTellsManagersAndMetricsOfItsSpace_whenThatChanges() throws Exception {
        try (TestCluster cluster = start()) {
            TestCluster.await().until(() -> cluster.reports.diskSpace("node-1").equals(HALF_USED));
            space.set(usedPercent(90));
            TestCluster.await()
                    .until(() -> cluster.reports.diskSpace("node-1").equals(usedPercent(90)));
            assertThat(gauge(cluster, "partition_server_disk_usable_bytes")).isEqualTo(10L << 30);
            assertThat(gauge(cluster, "partition_server_disk_total_bytes")).isEqualTo(100L << 30);
        }
    }

    private static RangeResponse write(TestCluster cluster, EntityOperation.Kind kind, String row)
            throws Exception {
        return cluster.client.answer(
                cluster.awaitLeader(),
                Commands.write(SEQUENCES.incrementAndGet(), kind, "p", row, "x"));
    }

    private static RangeResponse createTable(TestCluster cluster) throws Exception {
        long sequence = SEQUENCES.incrementAndGet();
        return cluster.client.answer(
                cluster.awaitLeader(), Commands.createTable(sequence, "Orders", sequence));
    }

    private static void awaitWritten(TestCluster cluster, String row) {
        TestCluster.await()
                .until(
                        () ->
                                write(cluster, EntityOperation.Kind.INSERT_OR_REPLACE, row)
                                        .getOutcome()
                                        .hasWritten());
    }

    @Test
    void growthIsRefusedAndDeletesAndReadsWork_whileDiskIsNearlyFull() throws Exception {
        try (TestCluster cluster = start()) {
            awaitWritten(cluster, "kept");
            awaitWritten(cluster, "deleted");
            space.set(usedPercent(96));
            for (String node : cluster.founders()) {
                TestCluster.await().until(() -> cluster.reports.growthRefused(node));
            }
            for (EntityOperation.Kind kind :
                    List.of(
                            EntityOperation.Kind.INSERT,
                            EntityOperation.Kind.UPDATE,
                            EntityOperation.Kind.INSERT_OR_MERGE)) {
                assertThat(write(cluster, kind, "kept").getBusy().getReason())
                        .isEqualTo(BusyReason.DISK_SPACE.text());
            }
            assertThat(createTable(cluster).getBusy().getReason())
                    .isEqualTo(BusyReason.DISK_SPACE.text());
            assertThat(cluster.client.call(RangeClient.read(Commands.key("p", "kept"))).hasRow())
                    .isTrue();
            assertThat(
                            write(cluster, EntityOperation.Kind.DELETE, "deleted")
                                    .getOutcome()
                                    .hasWritten())
                    .isTrue();
            assertThat(
                            cluster.client
                                    .answer(
                                            cluster.awaitLeader(),
                                            Commands.fence(SEQUENCES.incrementAndGet(), DROPPED))
                                    .hasBusy())
                    .isFalse();

            // Members may change as well: that is how a replica gets to where there is room.
            cluster.start("node-4");
            cluster.awaitKnown("node-4");
            cluster.add("node-4", 1, cluster.founders());

            // Not yet: it would begin again at once.
            space.set(usedPercent(94));
            TestCluster.await()
                    .until(() -> cluster.reports.diskSpace("node-1").equals(usedPercent(94)));
            assertThat(cluster.reports.growthRefused("node-1")).isTrue();
            space.set(HALF_USED);
            for (String node : cluster.founders()) {
                TestCluster.await().until(() -> !cluster.reports.growthRefused(node));
            }
            assertThat(cluster.client.put("p", "after", "x").getOutcome().hasWritten()).isTrue();
            for (RunningServer server : cluster.servers()) {
                assertThat(server.failures).isEmpty();
            }
        }
    }

    private static final long RESERVE = 3 << 20;

    private void awaitReserve(boolean there) {
        Path file = folder.resolve("node-1").resolve("reserve");
        TestCluster.await()
                .until(
                        () ->
                                there
                                        ? Files.exists(file) && Files.size(file) == RESERVE
                                        : !Files.exists(file));
    }

    @Test
    void reserveIsGivenBackAndMadeAgain_whenDiskFillsAndEmpties() throws Exception {
        DiskSpaceConfig config = new DiskSpaceConfig(85, 95, RESERVE);
        try (TestCluster cluster =
                TestCluster.in(folder)
                        .nodes("node-1")
                        .settings(each -> each.withDiskSpace(config))
                        .founded()) {
            cluster.withSpaces(node -> space::get);
            cluster.start("node-1");
            awaitReserve(true);
            space.set(usedPercent(96));
            awaitReserve(false);
            TestCluster.await().until(() -> cluster.reports.growthRefused("node-1"));
            space.set(usedPercent(90));
            TestCluster.await().until(() -> !cluster.reports.growthRefused("node-1"));
            awaitReserve(false);
            space.set(HALF_USED);
            awaitReserve(true);
        }
    }

    @Test
    void spaceOfRealFolderIsKnown_whenNothingIsInjected() throws Exception {
        DiskSpace real = SpaceSource.of(folder).look();
        assertThat(real.isKnown()).isTrue();
        assertThat(real.usedPercent()).isBetween(0.0, 100.0);
    }
}
