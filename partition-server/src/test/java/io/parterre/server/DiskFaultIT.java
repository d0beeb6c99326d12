package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One node of three writes to a real file system that fails. It acknowledges nothing more and says
 * so, others lead, nothing acknowledged is lost, and with space again it goes on.
 */
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
final class DiskFaultIT {
    private static final List<String> THREE = List.of("node-1", "node-2", "node-3");
    private static final String CANNOT_MOUNT = "needs the right to mount file systems";

    @TempDir Path folder;

    private TestCluster start(boolean leading) throws Exception {
        TestCluster cluster = TestCluster.ofThree(folder);
        cluster.write(5);
        cluster.lead(leading ? "node-1" : "node-2", 1);
        return cluster;
    }

    private static String awaitFailure(TestCluster cluster) {
        TestCluster.await().until(() -> !cluster.node("node-1").failures.isEmpty());
        return cluster.node("node-1").failures.peek().operation();
    }

    private static void goOn(TestCluster cluster) throws Exception {
        cluster.start("node-1");
        cluster.awaitKnown("node-1");
        cluster.write(3);
        cluster.assertSameRows(THREE);
        cluster.assertAllThereAt("node-1", 1);
    }

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
    void nodeStopsAndClusterKeepsAckedWrites_whenFlushFindsDiskFull() throws Exception {
        Optional<SmallDisk> mounted = SmallDisk.full(folder.resolve("node-1"), 24);
        assumeTrue(mounted.isPresent(), CANNOT_MOUNT);
        try (SmallDisk disk = mounted.get();
                TestCluster cluster = start(true)) {
            cluster.writeLarge(12);
            Path filler = folder.resolve("node-1").resolve("filler");
            fill(filler);
            cluster.tryFlush("node-1");
            assertThat(awaitFailure(cluster)).startsWith("store ");
            cluster.kill("node-1");
            cluster.write(3);
            cluster.assertAllThere();

            Files.delete(filler);
            disk.grow(200);
            goOn(cluster);
        }
    }

    private static void fill(Path file) throws IOException {
        byte[] block = new byte[1 << 16];
        try (OutputStream out = Files.newOutputStream(file)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            assertThat(Files.size(file)).isPositive();
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

    /** After a failed sync the system forgets what it could not write: the next one succeeds. */
    @Test
    void failedLogSyncStopsNode_whenLaterSyncWouldSucceed() throws Exception {
        Optional<SmallDisk> mounted = SmallDisk.lying(folder.resolve("node-1"), 8, 200);
        assumeTrue(mounted.isPresent(), CANNOT_MOUNT);
        try (SmallDisk disk = mounted.get();
                TestCluster cluster = start(true)) {
            cluster.writeLarge(25);
            assertThat(awaitFailure(cluster)).startsWith("raft log of range");
            cluster.write(20);
            cluster.kill("node-1");
            cluster.assertAllThere();

            disk.grow(300);
            disk.remount();
            goOn(cluster);
        }
    }
}
