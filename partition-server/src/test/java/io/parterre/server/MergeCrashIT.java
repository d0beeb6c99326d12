package io.parterre.server;

import io.parterre.server.crash.CrashPoint;
import io.parterre.testing.Tier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes end while two ranges become one. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
final class MergeCrashIT extends RangeMerges {
    private enum Killed {
        LEADER,
        FOLLOWER,
        ALL
    }

    /** Each step and each victim are met; the long tier has all pairs. */
    static Stream<Arguments> crashes() {
        boolean all = Tier.isLong();
        List<Arguments> crashes = new ArrayList<>();
        for (CrashPoint point : CrashPointIT.by(CrashPointIT.Way.MERGE).toList()) {
            for (Killed killed : Killed.values()) {
                boolean chosen =
                        killed == Killed.ALL && point != CrashPoint.MERGE_RIGHT_REMOVED
                                || point == CrashPoint.MERGE_FREEZE_APPLIED
                                        && killed == Killed.LEADER
                                || point == CrashPoint.MERGE_ABSORB_APPLIED;
                if (all || chosen) {
                    crashes.add(Arguments.of(point, killed));
                }
            }
        }
        return crashes.stream();
    }

    @ParameterizedTest
    @MethodSource("crashes")
    void ackedWritesSurvive_whenNodesCrashDuringMerge(CrashPoint point, Killed killed)
            throws Exception {
        try (TestCluster cluster = TestCluster.founded(folder, THREE)) {
            Map<String, CrashingNode> nodes = new HashMap<>();
            for (String node : THREE) {
                nodes.put(node, new CrashingNode());
                cluster.start(node, nodes.get(node));
            }
            Writes writes = new Writes(cluster);
            writes.write(5);
            cluster.lead("node-1", 1);
            split(cluster, RIGHT, 1, CUT);
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
            awaitBuried(cluster, RIGHT);

            // Whoever leads has all of it.
            String other = victims.get(0).equals("node-2") ? "node-2" : "node-3";
            long at = range(cluster, LEFT).orElseThrow().generation().value();
            cluster.manager.transferLead(LEFT, at, other);
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
