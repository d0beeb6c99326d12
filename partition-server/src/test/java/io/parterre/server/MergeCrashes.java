package io.parterre.server;

import io.parterre.server.crash.CrashPoint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Ends nodes at a step of a merge. */
abstract class MergeCrashes extends RangeMerges {
    enum Killed {
        LEADER,
        FOLLOWER,
        ALL
    }

    static Stream<CrashPoint> points() {
        return CrashPointIT.by(CrashPointIT.Way.MERGE);
    }

    /** Ends the victims at one step of a merge and looks for all that was acknowledged. */
    void crashDuringMerge(CrashPoint point, Killed killed) throws Exception {
        try (TestCluster cluster = TestCluster.in(folder).founded()) {
            Map<String, CrashingNode> nodes = new HashMap<>();
            for (String node : THREE) {
                nodes.put(node, new CrashingNode());
                cluster.start(node, nodes.get(node));
            }
            Writes writes = new Writes(cluster);
            writes.write(5);
            cluster.lead("node-1", 1);
            split(cluster, RIGHT, 1, SPLIT_POINT);
            writes.write(5);
            List<String> victims =
                    switch (killed) {
                        case LEADER -> List.of("node-1");
                        case FOLLOWER -> List.of("node-2");
                        case ALL -> THREE;
                    };
            victims.forEach(node -> nodes.get(node).crashAt(point));
            // Again and again: on a busy machine each half may have found a leader of its own.
            TestCluster.await()
                    .pollInterval(ORDER_INTERVAL)
                    .until(
                            () -> {
                                orderMerge(cluster, LEFT, RIGHT);
                                return victims.stream()
                                        .anyMatch(node -> nodes.get(node).crashed().get());
                            });
            cluster.manager.withdrawOrders();

            if (killed == Killed.ALL) {
                cluster.killAll();
                for (String node : THREE) {
                    cluster.start(node);
                }
            } else {
                cluster.kill(victims.get(0));
                boolean joined =
                        point != CrashPoint.MERGE_FREEZE_COMMITTED
                                && point != CrashPoint.MERGE_FREEZE_APPLIED;
                if (joined) {
                    // Those who live may bury what the other has to apply again.
                    TestCluster.await()
                            .until(
                                    () ->
                                            THREE.stream()
                                                    .filter(node -> !victims.contains(node))
                                                    .noneMatch(
                                                            node -> hasLog(cluster, node, RIGHT)));
                    writes.write(5);
                }
                cluster.start(victims.get(0));
            }
            for (String node : THREE) {
                cluster.awaitKnown(node);
            }
            merge(cluster, LEFT, RIGHT, Commands.key("x", "1"));
            writes.write(5);
            writes.assertAllThere();
            awaitAbsorbedRemoved(cluster, RIGHT);

            // Any leader has all of it.
            String other = victims.get(0).equals("node-2") ? "node-2" : "node-3";
            long at = range(cluster, LEFT).orElseThrow().generation().value();
            cluster.manager.transferLeadership(LEFT, at, other);
            TestCluster.await().until(() -> led(cluster, other, LEFT).isPresent());
            cluster.manager.withdrawOrders();
            writes.write(2);
            writes.assertAllThere();
            if (killed == Killed.ALL) {
                cluster.awaitLevel(THREE);
                cluster.assertSameRows(THREE);
            }
        }
    }
}
