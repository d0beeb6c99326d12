package io.parterre.server;

import static io.parterre.server.Commands.TABLE;
import static io.parterre.server.Commands.bytes;

import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.io.TempDir;

/** Two ranges that become one, with real Raft groups and stores. */
abstract class RangeMerges {
    static final List<String> THREE = List.of("node-1", "node-2", "node-3");
    static final RangeId LEFT = TestCluster.RANGE;
    static final RangeId RIGHT = new RangeId(2);
    static final Key SPLIT_POINT = KeyCodec.partition(TABLE, "m");

    /** A node hears the orders of a manager with the answer to its report. */
    static final Duration ORDER_INTERVAL = Duration.ofMillis(60);

    @TempDir Path folder;

    static Optional<RangeDescriptor> led(TestCluster cluster, String node, RangeId id) {
        return cluster.reports
                .replica(node, id)
                .filter(ReplicaReport::getLeading)
                .map(report -> DescriptorCodec.fromProto(report.getRange()));
    }

    private static Optional<String> leader(TestCluster cluster, RangeId rangeId) {
        return THREE.stream().filter(node -> led(cluster, node, rangeId).isPresent()).findFirst();
    }

    /** As its leader tells it. */
    static Optional<RangeDescriptor> range(TestCluster cluster, RangeId rangeId) {
        return leader(cluster, rangeId).flatMap(node -> led(cluster, node, rangeId));
    }

    /** Two ranges that are led by one node. */
    static void split(TestCluster cluster, RangeId child, long from, Key splitPoint) {
        cluster.manager.split(LEFT, from, bytes(splitPoint), child);
        AtomicReference<String> asked = new AtomicReference<>("");
        TestCluster.await()
                .until(
                        () -> {
                            Optional<String> left = leader(cluster, LEFT);
                            Optional<String> right = leader(cluster, child);
                            if (left.isEmpty() || right.isEmpty()) {
                                return false;
                            }
                            // Either may have been elected elsewhere meanwhile.
                            if (!left.equals(right) && !left.get().equals(asked.get())) {
                                cluster.manager.withdrawOrders();
                                cluster.manager.transferLeadership(child, from + 1, left.get());
                                asked.set(left.get());
                            }
                            return left.equals(right);
                        });
        cluster.manager.withdrawOrders();
    }

    static boolean isJoined(TestCluster cluster, RangeId left, Key rightKey) {
        return range(cluster, left).filter(range -> range.bounds().contains(rightKey)).isPresent();
    }

    /** What a manager does that wants them merged, however far an earlier attempt has come. */
    static void merge(TestCluster cluster, RangeId left, RangeId right, Key rightKey) {
        TestCluster.await()
                .pollInterval(ORDER_INTERVAL)
                .until(
                        () -> {
                            boolean joined = isJoined(cluster, left, rightKey);
                            if (!joined) {
                                orderMerge(cluster, left, right);
                            }
                            return joined;
                        });
        cluster.manager.withdrawOrders();
    }

    static void orderMerge(TestCluster cluster, RangeId left, RangeId right) {
        cluster.manager.withdrawOrders();
        Optional<RangeDescriptor> leftRange = range(cluster, left);
        Optional<RangeDescriptor> rightRange = range(cluster, right);
        if (leftRange.isEmpty() || rightRange.isEmpty()) {
            return;
        }
        long leftAt = leftRange.get().generation().value();
        long rightAt = rightRange.get().generation().value();
        Optional<String> leads = leader(cluster, left);
        if (!leads.equals(leader(cluster, right))) {
            cluster.manager.transferLeadership(right, rightAt, leads.orElseThrow());
        } else {
            // The node itself thaws what an order finds frozen for a merge that was given up.
            cluster.manager.merge(
                    left, leftAt, right, rightRange.get().isFrozen() ? rightAt - 1 : rightAt);
        }
    }

    static boolean hasLog(TestCluster cluster, String node, RangeId rangeId) {
        return Files.exists(
                cluster.folder(node).resolve("raft").resolve(rangeId.groupId().toString()));
    }

    /** Neither replica nor log of it is left. */
    static void awaitAbsorbedRemoved(TestCluster cluster, RangeId rangeId) {
        for (String node : THREE) {
            TestCluster.await()
                    .until(
                            () ->
                                    cluster.reports.knows(node)
                                            && cluster.reports.replica(node, rangeId).isEmpty()
                                            && !hasLog(cluster, node, rangeId));
        }
    }
}
