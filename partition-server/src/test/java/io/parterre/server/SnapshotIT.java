package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.RangeClient.command;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.proto.node.ReplicaSnapshot;
import io.parterre.proto.node.TakeSnapshotRequest;
import io.parterre.server.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an operator's snapshot makes durable and drops. */
@Timeout(60)
final class SnapshotIT {
    private static final String LARGE = "x".repeat(500_000);

    @TempDir Path folder;

    /** Nothing is flushed by age, and all of the log but its last segment may go. */
    private TestConfig config() {
        return RunningServer.config(folder)
                .withStore(new StoreConfig(8 << 20, 256 << 20, Duration.ofHours(1)))
                .withRaft(new TestRaft().withPreservedLogBytes(1).build());
    }

    /** A repeat answers the first outcome. */
    private static void awaitWritten(RunningServer server, long sequence, String text) {
        TestCluster.await()
                .until(
                        () ->
                                server.client()
                                        .call(
                                                command(
                                                        insert(
                                                                sequence,
                                                                "p",
                                                                String.format("%08d", sequence),
                                                                text)))
                                        .getOutcome()
                                        .hasWritten());
    }

    private static List<ReplicaSnapshot> snapshot(
            RunningServer server, boolean dryRun, long range) {
        return NodeServiceGrpc.newBlockingStub(server.channel())
                .takeSnapshot(
                        TakeSnapshotRequest.newBuilder()
                                .addRangeIds(range)
                                .setDryRun(dryRun)
                                .build())
                .getReplicasList();
    }

    @Test
    void snapshotFlushesAllAppliedRowsAndPurgesLog() throws Exception {
        try (RunningServer server = RunningServer.start(config())) {
            for (int i = 1; i <= 40; i++) {
                awaitWritten(server, i, LARGE);
            }
            ReplicaSnapshot before = snapshot(server, true, 1).get(0);
            assertThat(before.getFlushedIndex()).isLessThan(before.getAppliedIndex());
            assertThat(before.getLogBytes()).isGreaterThan(20_000_000);
            assertThat(snapshot(server, true, 1).get(0)).as("nothing was done").isEqualTo(before);
            assertThat(snapshot(server, false, 99)).as("another range").isEmpty();

            ReplicaSnapshot taken = snapshot(server, false, 1).get(0);
            assertThat(taken.getFlushedIndexBefore()).isEqualTo(before.getFlushedIndex());
            assertThat(taken.getFlushedIndex()).isEqualTo(taken.getAppliedIndex());
            assertThat(taken.getLogBytesBefore()).isEqualTo(before.getLogBytes());
            // Nothing was written meanwhile, so that Ratis has not asked by itself.
            assertThat(taken.getLogBytes()).isLessThan(12_000_000);
            assertThat(taken.getLogHeld()).isFalse();
            server.kill();
        }
        try (RunningServer again = RunningServer.start(config())) {
            awaitWritten(again, 41, "small");
        }
    }
}
