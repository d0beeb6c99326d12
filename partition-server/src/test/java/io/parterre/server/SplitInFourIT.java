package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.crash.CrashPoint;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A range that becomes four by one order, with real Raft groups and stores. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
final class SplitInFourIT {
    private static final List<String> THREE = List.of("node-1", "node-2", "node-3");
    private static final List<RangeId> CHILDREN =
            List.of(new RangeId(2), new RangeId(3), new RangeId(4));

    @TempDir Path folder;

    private enum Killed {
        LEADER,
        ALL
    }

    /** With and without members that end in the middle of it. */
    @ParameterizedTest
    @CsvSource({", ALL", "SPLIT_APPLIED, ALL", "SPLIT_FLUSHED, LEADER", "CHILD_JOINED, ALL"})
    void oneOrderSplitsRangeInFour_withOrWithoutMemberCrashes(CrashPoint point, Killed killed)
            throws Exception {
        try (TestCluster cluster = TestCluster.in(folder).founded()) {
            Map<String, CrashingNode> nodes = new HashMap<>();
            for (String node : THREE) {
                nodes.put(node, new CrashingNode());
                cluster.start(node, nodes.get(node));
            }
            Writes writes = new Writes(cluster);
            for (String partition : List.of("a", "b", "c", "d", "e", "f", "g", "h")) {
                for (int i = 0; i < 3; i++) {
                    writes.write(partition);
                }
            }
            cluster.lead("node-1", 1);
            cluster.awaitLevel(THREE);
            List<String> victims = killed == Killed.ALL ? THREE : List.of("node-1");
            if (point != null) {
                victims.forEach(node -> nodes.get(node).crashAt(point));
            }
            cluster.manager.split(TestCluster.RANGE, 1, CHILDREN);
            if (point != null) {
                TestCluster.await()
                        .until(
                                () ->
                                        victims.stream()
                                                .anyMatch(node -> nodes.get(node).crashed().get()));
                cluster.manager.withdrawOrders();
                for (String victim : victims) {
                    cluster.kill(victim);
                }
                for (String victim : victims) {
                    cluster.start(victim);
                }
                for (String node : THREE) {
                    cluster.awaitKnown(node);
                }
                cluster.manager.split(TestCluster.RANGE, 1, CHILDREN);
            }
            for (RangeId child : CHILDREN) {
                cluster.awaitLeader(child);
            }
            cluster.manager.withdrawOrders();
            writes.write(5);
            writes.assertAllThere();

            // What a manager learns of it: each key is in one of them, and none is left over.
            Key end = Key.FIRST;
            for (long part = 1; part <= 4; part++) {
                RangeDescriptor told = told(cluster, new RangeId(part));
                assertThat(told.bounds().start()).isEqualTo(end);
                assertThat(told.generation().value()).isEqualTo(2);
                end = told.bounds().endExclusive();
            }
            assertThat(end).isEqualTo(Key.LAST);
            assertThat(writes.client.rangeOf(Commands.key("a", "1")).rangeId().value())
                    .isEqualTo(1);
            assertThat(writes.client.rangeOf(Commands.key("h", "1")).rangeId().value())
                    .isEqualTo(4);
        }
    }

    private static RangeDescriptor told(TestCluster cluster, RangeId rangeId) {
        String leader = cluster.awaitLeader(rangeId);
        return DescriptorCodec.fromProto(
                cluster.reports.replica(leader, rangeId).orElseThrow().getRange());
    }
}
