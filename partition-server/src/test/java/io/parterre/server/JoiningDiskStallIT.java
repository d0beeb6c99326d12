package io.parterre.server;

import static io.parterre.server.HangingDisk.THREE;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A leader whose disk hangs while its range takes in a member, which never ends then. */
@Timeout(240)
final class JoiningDiskStallIT {
    @TempDir Path folder;

    /**
     * No leadership can be transferred while members change, and the change itself never ends. The
     * node that gives its leadership up has the longest log, and must not win the next election.
     */
    @Test
    void writesContinue_whenLeadersDiskHangsInMembershipChange() throws Exception {
        HangingDisk disk = new HangingDisk();
        DiskConfig patience = new DiskConfig(Duration.ofMillis(500), Duration.ofMinutes(5));
        // The others stand much later than the node that gives its leadership up.
        Duration late = TestCluster.ELECTION_TIMEOUT_MIN.multipliedBy(6);
        TestCluster founded =
                TestCluster.in(folder)
                        .settings(
                                config ->
                                        config.nodeId().equals(Optional.of("node-1"))
                                                ? config
                                                : config.withRaft(
                                                        new TestRaft(config.raft())
                                                                .withElectionTimeout(
                                                                        late, late.plusSeconds(1))
                                                                .build()))
                        .founded();
        try (TestCluster cluster = HangingDisk.start(founded, disk, patience)) {
            cluster.start("node-4");
            cluster.awaitKnown("node-4");
            cluster.manager.join("node-4", 1, THREE);
            cluster.awaitJoining("node-4");
            disk.hangs.set(true);
            cluster.manager.withdrawOrders();
            cluster.manager.change(1, List.of("node-1", "node-2", "node-3", "node-4"));
            cluster.client.write(5);
            assertThat(cluster.node("node-1").failures).isEmpty();

            disk.works.countDown();
            cluster.awaitReport("node-4", replica -> replica.getGeneration() == 2);
            cluster.assertSameRows(List.of("node-1", "node-2", "node-3", "node-4"));
            cluster.client.assertAllThere();
        }
    }
}
