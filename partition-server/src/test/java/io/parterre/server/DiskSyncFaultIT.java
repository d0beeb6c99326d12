package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Disks that fail when what a node wrote is to become durable. */
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
final class DiskSyncFaultIT extends DiskFaults {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nodeServesReadsAndGoesOn_whenFlushFindsDiskFull(boolean leading) throws Exception {
        Optional<SmallDisk> mounted = SmallDisk.full(folder.resolve("node-1"), 24);
        assumeTrue(mounted.isPresent(), CANNOT_MOUNT);
        try (SmallDisk disk = mounted.get();
                TestCluster cluster = start(leading)) {
            cluster.client.writeLarge(12);
            Path filler = folder.resolve("node-1").resolve("filler");
            // What is small fits yet, as a vote.
            SmallDisk.fill(filler, 1 << 20);
            cluster.tryFlush("node-1");
            awaitFull(cluster);
            cluster.client.write(3);
            cluster.client.assertAllThere();
            assertServesFollowerReads(cluster);

            Files.delete(filler);
            disk.grow(200);
            goOnByItself(cluster);
        }
    }

    /** After a failed sync the system forgets what it could not write: the next one succeeds. */
    @Test
    void failedLogSyncStopsNode_whenLaterSyncWouldSucceed() throws Exception {
        Optional<SmallDisk> mounted = SmallDisk.lying(folder.resolve("node-1"), 8, 200);
        assumeTrue(mounted.isPresent(), CANNOT_MOUNT);
        try (SmallDisk disk = mounted.get();
                TestCluster cluster = start(true)) {
            cluster.client.writeLarge(25);
            assertThat(awaitFailure(cluster)).startsWith("raft log of range");
            cluster.client.write(20);
            cluster.kill("node-1");
            cluster.client.assertAllThere();

            disk.grow(300);
            disk.remount();
            goOnOrRebuild(cluster);
        }
    }
}
