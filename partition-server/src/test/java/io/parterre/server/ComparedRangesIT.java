package io.parterre.server;

import static io.parterre.server.Commands.TABLE;
import static io.parterre.server.Commands.bytes;
import static io.parterre.server.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.testing.Tier;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Members of ranges that change while they are compared, with real groups and stores. */
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
final class ComparedRangesIT extends ComparedReplicas {
    private static Optional<RangeDescriptor> led(TestCluster cluster, String node, RangeId id) {
        return cluster.reports
                .replica(node, id)
                .filter(ReplicaReport::getLeading)
                .map(report -> DescriptorCodec.fromProto(report.getRange()));
    }

    private static Optional<String> leader(TestCluster cluster, RangeId id) {
        return THREE.stream().filter(node -> led(cluster, node, id).isPresent()).findFirst();
    }

    /** Orders it until it is done, as a manager does. */
    private static void merge(TestCluster cluster, RangeId right) {
        await().pollInterval(Duration.ofMillis(60))
                .until(
                        () -> {
                            cluster.manager.withdrawOrders();
                            Optional<String> leads = leader(cluster, TestCluster.RANGE);
                            Optional<RangeDescriptor> left =
                                    leads.flatMap(node -> led(cluster, node, TestCluster.RANGE));
                            if (left.filter(range -> range.bounds().equals(KeyRange.ALL))
                                    .isPresent()) {
                                return true;
                            }
                            leader(cluster, right)
                                    .flatMap(node -> led(cluster, node, right))
                                    .ifPresent(range -> order(cluster, leads, left, range));
                            return false;
                        });
        cluster.manager.withdrawOrders();
    }

    private static void order(
            TestCluster cluster,
            Optional<String> leads,
            Optional<RangeDescriptor> left,
            RangeDescriptor right) {
        if (left.isEmpty()) {
            return;
        }
        long at = right.generation().value();
        if (leads.equals(leader(cluster, right.rangeId()))) {
            cluster.manager.merge(
                    TestCluster.RANGE,
                    left.get().generation().value(),
                    right.rangeId(),
                    right.isFrozen() ? at - 1 : at);
        } else {
            cluster.manager.transferLeadership(right.rangeId(), at, leads.orElseThrow());
        }
    }

    @Test
    void membersAreEqual_whileRangesSplitMergeAndChangeLeader() throws Exception {
        RangeId child = new RangeId(2);
        try (TestCluster cluster = cluster(folder, OFTEN)) {
            Writes writes = new Writes(cluster);
            writes.write(20);
            cluster.lead("node-1", 1);
            try (Writer writer = new Writer(() -> writes.write(1))) {
                awaitMore(cluster, "equal");
                cluster.manager.split(
                        TestCluster.RANGE, 1, bytes(KeyCodec.partition(TABLE, "m")), child);
                await().until(
                                () ->
                                        THREE.stream()
                                                .anyMatch(
                                                        node ->
                                                                cluster.reports
                                                                        .replica(node, child)
                                                                        .filter(
                                                                                ReplicaReport
                                                                                        ::getLeading)
                                                                        .isPresent()));
                cluster.manager.withdrawOrders();
                awaitMore(cluster, "equal");
                List<String> leaders =
                        Tier.isLong() ? List.of("node-2", "node-3", "node-1") : List.of("node-2");
                for (String leader : leaders) {
                    cluster.manager.transferLeadership(TestCluster.RANGE, 2, leader);
                    await().until(
                                    () ->
                                            cluster.reports
                                                    .replica(leader, TestCluster.RANGE)
                                                    .filter(ReplicaReport::getLeading)
                                                    .isPresent());
                    cluster.manager.withdrawOrders();
                    awaitMore(cluster, "equal");
                }
                merge(cluster, child);
                awaitMore(cluster, "equal");
            }
            writes.assertAllThere();
            assertThat(count(cluster, "differs")).isZero();
            assertThat(count(cluster, "undecided")).isZero();
        }
    }
}
