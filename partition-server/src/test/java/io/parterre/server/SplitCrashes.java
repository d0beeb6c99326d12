package io.parterre.server;

import static io.parterre.server.Commands.TABLE;
import static io.parterre.server.Commands.bytes;

import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.range.RangeId;
import io.parterre.server.crash.CrashPoint;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/** A range that becomes two while nodes end, with real Raft groups and stores. */
abstract class SplitCrashes {
    private static final List<String> THREE = List.of("node-1", "node-2", "node-3");
    private static final RangeId CHILD = new RangeId(2);
    private static final Key SPLIT_POINT = KeyCodec.partition(TABLE, "m");

    @TempDir Path folder;

    enum Killed {
        LEADER,
        FOLLOWER,
        ALL
    }

    private static void split(TestCluster cluster) {
        cluster.manager.split(TestCluster.RANGE, 1, bytes(SPLIT_POINT), CHILD);
    }

    /** The nodes end at this step, start again, and both halves have all that was acknowledged. */
    void crashAndGoOn(CrashPoint point, Killed killed) throws Exception {
        try (TestCluster cluster = TestCluster.in(folder).founded()) {
            Map<String, CrashingNode> nodes = new HashMap<>();
            for (String node : THREE) {
                nodes.put(node, new CrashingNode());
                cluster.start(node, nodes.get(node));
            }
            Writes writes = new Writes(cluster);
            writes.write(5);
            cluster.lead("node-1", 1);
            List<String> victims =
                    switch (killed) {
                        case LEADER -> List.of("node-1");
                        case FOLLOWER -> List.of("node-2");
                        case ALL -> THREE;
                    };
            victims.forEach(node -> nodes.get(node).crashAt(point));
            split(cluster);
            TestCluster.await()
                    .until(
                            () ->
                                    victims.stream()
                                            .anyMatch(node -> nodes.get(node).crashed().get()));
            cluster.manager.withdrawOrders();

            if (killed == Killed.ALL) {
                cluster.killAll();
                for (String node : THREE) {
                    cluster.start(node);
                }
            } else {
                cluster.kill(victims.get(0));
                writes.write(5);
                cluster.start(victims.get(0));
            }
            for (String node : THREE) {
                cluster.awaitKnown(node);
            }
            // If no leader has come to propose it, the order comes again.
            split(cluster);
            cluster.awaitLeader(CHILD);
            cluster.manager.withdrawOrders();
            writes.write(5);
            writes.assertAllThere();

            for (String node : THREE) {
                TestCluster.await().until(() -> cluster.reports.replica(node, CHILD).isPresent());
            }
            // The leader of a half has all of it.
            String other = victims.get(0).equals("node-2") ? "node-2" : "node-3";
            for (RangeId rangeId : List.of(TestCluster.RANGE, CHILD)) {
                cluster.manager.transferLeadership(rangeId, 2, other);
                TestCluster.await().until(() -> cluster.leads(other, rangeId));
                cluster.manager.withdrawOrders();
            }
            writes.write(2);
            writes.assertAllThere();
        }
    }
}
