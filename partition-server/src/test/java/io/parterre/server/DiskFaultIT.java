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
            cluster.client.writeLarge(25);
            assertThat(awaitFailure(cluster)).startsWith("raft log of range");
            cluster.kill("node-1");
            cluster.client.write(3);
            cluster.client.assertAllThere();

            disk.grow(200);
            goOn(cluster);
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
