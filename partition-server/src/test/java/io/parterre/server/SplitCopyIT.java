package io.parterre.server;

import static io.parterre.server.Commands.TABLE;
import static io.parterre.server.Commands.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.KeyCodec;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A member of a range that was away while it became two, and that no log reaches any more. */
@Timeout(120)
final class SplitCopyIT {
    private static final List<String> THREE = List.of("node-1", "node-2", "node-3");
    private static final RangeId CHILD = new RangeId(2);

    @TempDir Path folder;

    @Test
    void memberGetsBothHalvesByCopy_whenItMissedTheSplit() throws Exception {
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            Writes writes = new Writes(cluster);
            writes.write(10);
            cluster.lead("node-1", 1);
            cluster.awaitLevel(THREE);
            cluster.node("node-3").flush();
            cluster.kill("node-3");
            cluster.manager.split(
                    TestCluster.RANGE, 1, bytes(KeyCodec.partition(TABLE, "m")), CHILD);
            cluster.awaitLeader(CHILD);
            cluster.manager.withdrawOrders();
            writes.write(10);
            purge(cluster, writes);

            cluster.start("node-3");
            TestCluster.await()
                    .until(
                            () ->
                                    cluster.reports
                                            .replica("node-3", TestCluster.RANGE)
                                            .filter(each -> each.getGeneration() == 2)
                                            .isPresent());
            assertThat(cluster.reports.replica("node-3", CHILD)).isEmpty();
            RangeDescriptor child = writes.client.rangeOf(Commands.key("x", "1"));
            cluster.manager.join("node-3", child);
            TestCluster.await().until(() -> cluster.reports.replica("node-3", CHILD).isPresent());
            cluster.manager.withdrawOrders();
            writes.write(5);

            for (RangeId rangeId : List.of(TestCluster.RANGE, CHILD)) {
                cluster.manager.transferLeadership(rangeId, 2, "node-3");
                TestCluster.await().until(() -> cluster.leads("node-3", rangeId));
                cluster.manager.withdrawOrders();
            }
            writes.assertAllThere();
            assertThat(cluster.node("node-3").failures).isEmpty();
        }
    }

    /**
     * The child's log begins right after where the member's replica of it begins, and its leader no
     * longer knows the term of that: its rows have moved on.
     */
    @Test
    void memberCatchesUpWithChild_whenChildLeaderFlushedWithoutIt() throws Exception {
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            Writes writes = new Writes(cluster);
            writes.write(10);
            cluster.lead("node-1", 1);
            cluster.awaitLevel(THREE);
            cluster.kill("node-3");
            cluster.manager.split(
                    TestCluster.RANGE, 1, bytes(KeyCodec.partition(TABLE, "m")), CHILD);
            cluster.awaitLeader(CHILD);
            cluster.manager.withdrawOrders();
            writes.write(10);
            cluster.servers().forEach(RunningServer::flush);
            writes.write(10);

            long written = applied(cluster, "node-1");
            cluster.start("node-3");
            TestCluster.await().until(() -> applied(cluster, "node-3") >= written);
            writes.write(5);
            writes.assertAllThere();
            assertThat(cluster.node("node-3").failures).isEmpty();
        }
    }

    private static long applied(TestCluster cluster, String node) {
        return cluster.reports.replica(node, CHILD).map(ReplicaReport::getAppliedIndex).orElse(-1L);
    }

    /** Until no log reaches back to the split. */
    private static void purge(TestCluster cluster, Writes writes) {
        String large = "x".repeat(400_000);
        for (int i = 0; i < 60; i++) {
            writes.write(i % 2 == 0 ? "a" : "x", large);
        }
        for (RunningServer server : cluster.servers()) {
            server.flush();
        }
        TestCluster.await()
                .until(
                        () -> {
                            writes.write(1);
                            return cluster.logBegin("node-1", TestCluster.RANGE) > 20
                                    && cluster.logBegin("node-1", CHILD) > 40;
                        });
    }
}
