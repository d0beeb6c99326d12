package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.parterre.key.KeyCodec;
import io.parterre.range.RangeId;
import io.parterre.server.raft.RowsDigest;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Disks that take nothing more when a node starts, or writes its log, its vote or a copy. */
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
final class DiskFaultIT extends DiskFaults {
    /** All of it at once, before anybody has looked how full it is. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nodeStopsAndClusterKeepsAckedWrites_whenLogDiskIsFull(boolean leading) throws Exception {
        Optional<SmallDisk> mounted = SmallDisk.full(folder.resolve("node-1"), 8);
        assumeTrue(mounted.isPresent(), CANNOT_MOUNT);
        try (SmallDisk disk = mounted.get();
                TestCluster cluster = start(leading)) {
            cluster.writeLarge(25);
            assertThat(awaitFailure(cluster)).startsWith("raft log of range");
            cluster.kill("node-1");
            cluster.write(3);
            cluster.assertAllThere();

            disk.grow(200);
            goOn(cluster);
        }
    }

    @Test
    void fullFollowerRefusesEntriesAndIsRead_untilItHasRoom() throws Exception {
        Optional<SmallDisk> mounted = SmallDisk.full(folder.resolve("node-1"), 24);
        assumeTrue(mounted.isPresent(), CANNOT_MOUNT);
        RangeId child = new RangeId(2);
        try (SmallDisk disk = mounted.get();
                TestCluster cluster = startWithSpaceOfNode1()) {
            cluster.put("a", "1", "read meanwhile");
            cluster.manager.split(
                    TestCluster.RANGE,
                    1,
                    Commands.bytes(KeyCodec.partition(Commands.TABLE, "m")),
                    child);
            TestCluster.await().until(() -> cluster.leads("node-2", child));
            cluster.manager.withdrawOrders();
            cluster.goOnWith(child);
            SmallDisk.fill(folder.resolve("node-1").resolve("filler"), 6 << 20);
            cluster.writeLarge(25);
            awaitFull(cluster);

            cluster.writeLarge(2);
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

    private static RowsDigest rows(TestCluster cluster, String node, RangeId rangeId)
            throws IOException {
        return RowsDigest.of(cluster.node(node).server.store(), rangeId);
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

            cluster.write(3);
            assertThat(cluster.node("node-1").server.missing().orElseThrow())
                    .isEqualTo("its disk is full, it starts once there is room");
            Files.delete(filler);
            goOnByItself(cluster);
        }
    }

    @Test
    void copyIsRemovedAndTakenLater_whenItFillsReceiversDisk() throws Exception {
        Optional<SmallDisk> mounted = SmallDisk.full(folder.resolve("node-1"), 10);
        assumeTrue(mounted.isPresent(), CANNOT_MOUNT);
        try (SmallDisk disk = mounted.get();
                TestCluster cluster = start(false)) {
            cluster.kill("node-1");
            for (int i = 0; i < 30; i++) {
                cluster.put("noise", "" + i, FullDisksIT.noise(i));
            }
            cluster.purgeLog();
            cluster.start("node-1");
            cluster.awaitKnown("node-1");

            Path copies = folder.resolve("node-1").resolve("installs");
            TestCluster.await().until(() -> bytes(copies) > 1 << 20);
            TestCluster.await().until(() -> bytes(copies) == 0);
            cluster.write(3);
            cluster.assertAllThere();

            disk.grow(200);
            goOnByItself(cluster);
        }
    }

    @Test
    void copyIsPutOff_whileReceiversDiskIsNearlyFull() throws Exception {
        Optional<SmallDisk> mounted = SmallDisk.full(folder.resolve("node-1"), 100);
        assumeTrue(mounted.isPresent(), CANNOT_MOUNT);
        try (SmallDisk disk = mounted.get();
                TestCluster cluster = startWithSpaceOfNode1()) {
            cluster.kill("node-1");
            cluster.purgeLog();
            Path filler = folder.resolve("node-1").resolve("filler");
            SmallDisk.fill(filler, 4 << 20);
            cluster.start("node-1");
            TestCluster.await().until(() -> cluster.manager.growthRefused("node-1"));
            cluster.write(3);
            assertThat(bytes(folder.resolve("node-1").resolve("installs"))).isZero();

            Files.delete(filler);
            goOnByItself(cluster);
        }
    }

    private static long bytes(Path under) throws IOException {
        if (!Files.exists(under)) {
            return 0;
        }
        try (Stream<Path> all = Files.walk(under)) {
            return all.map(Path::toFile).filter(File::isFile).mapToLong(File::length).sum();
        } catch (UncheckedIOException changing) {
            return -1;
        }
    }

    /** Ratis puts an empty file in the place of the vote when there is no space for another. */
    @Test
    void nodeStarts_whenFullDiskLeftAnEmptyVoteFile() throws Exception {
        try (TestCluster cluster = start(false)) {
            cluster.kill("node-1");
            Path vote =
                    folder.resolve("node-1")
                            .resolve("raft")
                            .resolve(TestCluster.RANGE.groupId().toString())
                            .resolve("current")
                            .resolve("raft-meta");
            assertThat(vote).isNotEmptyFile();
            Files.delete(vote);
            Files.createFile(vote);
            goOn(cluster);
        }
    }
}
