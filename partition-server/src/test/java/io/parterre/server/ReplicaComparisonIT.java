package io.parterre.server;

import static io.parterre.server.Commands.TABLE;
import static io.parterre.server.Commands.bytes;
import static io.parterre.server.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.proto.manager.FollowerReport;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.proto.manager.ReplicaState;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.rpc.CompareConfig;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreBatch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Members compare what they hold, with real groups and stores. */
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
final class ReplicaComparisonIT {
    private static final List<String> THREE = List.of("node-1", "node-2", "node-3");
    private static final CompareConfig OFTEN =
            new CompareConfig(Duration.ofMillis(300), 256 << 20, Duration.ofMinutes(5));

    @TempDir Path folder;

    /** Writes one entity after the other until it is closed. */
    private static final class Writer implements AutoCloseable {
        private final AtomicBoolean ends = new AtomicBoolean();
        private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        private final Thread thread;

        Writer(Runnable write) {
            thread =
                    new Thread(
                            () -> {
                                while (!ends.get() && failures.isEmpty()) {
                                    try {
                                        write.run();
                                    } catch (RuntimeException | Error failure) {
                                        failures.add(failure);
                                    }
                                }
                            },
                            "writer");
            thread.start();
        }

        @Override
        public void close() throws InterruptedException {
            ends.set(true);
            thread.join();
            assertThat(failures).isEmpty();
        }
    }

    private static double count(TestCluster cluster, String result) {
        return cluster.servers().stream()
                .mapToDouble(
                        server ->
                                server.meters
                                        .get("partition_server_replica_comparisons")
                                        .tag("result", result)
                                        .counter()
                                        .count())
                .sum();
    }

    private static void awaitMore(TestCluster cluster, String result) {
        double before = count(cluster, result);
        await().until(() -> count(cluster, result) >= before + 2);
    }

    /** Changes one byte of an entity, behind the back of the replica. */
    private static void flip(TestCluster cluster, String node, String row) {
        ServerStore store = cluster.node(node).server.store();
        byte[] key = Commands.key("p", row).toBytes();
        byte[] value = store.get(key).orElseThrow();
        value[value.length - 1] ^= 1;
        try (StoreBatch batch = new StoreBatch()) {
            batch.put(key, value);
            store.write(batch);
        }
    }

    private static long differs(ReplicaReport leader, String node) {
        return leader.getFollowersList().stream()
                .filter(each -> each.getNodeId().equals(node))
                .mapToLong(FollowerReport::getDiffersAt)
                .findFirst()
                .orElse(0);
    }

    private static TestCluster cluster(Path folder, CompareConfig config) throws Exception {
        TestCluster cluster = TestCluster.ofThree(folder, node -> node.withCompare(config));
        cluster.awaitLeader();
        return cluster;
    }

    /** What a manager does about a member that differs. */
    private static void rebuild(TestCluster cluster, String node, long differsAt) {
        List<String> others = THREE.stream().filter(each -> !each.equals(node)).toList();
        cluster.manager.quarantineDiffering(node, 1, differsAt);
        cluster.awaitReport(node, replica -> replica.getState() == ReplicaState.DAMAGED);
        cluster.manager.withdrawOrders();
        assertThat(cluster.manager.replica(node).orElseThrow().getDamage())
                .contains("its rows at entry " + differsAt + " were others");
        cluster.change(1, others);
        cluster.manager.remove(node, 2);
        cluster.awaitGone(node);
        cluster.manager.withdrawOrders();
        cluster.add(node, 2, others);
    }

    @Test
    void followerWithAChangedByteIsFoundAndRebuilt_whileClientsWrite() throws Exception {
        try (TestCluster cluster = cluster(folder, OFTEN)) {
            cluster.write(50);
            cluster.lead("node-1", 1);
            awaitMore(cluster, "equal");
            try (Writer writer = new Writer(cluster::write)) {
                awaitMore(cluster, "equal");
                flip(cluster, "node-3", "00000007");
                cluster.awaitReport("node-1", leader -> differs(leader, "node-3") > 0);
                ReplicaReport leader = cluster.manager.replica("node-1").orElseThrow();
                assertThat(differs(leader, "node-2")).isZero();
                assertThat(leader.getDiffersAt()).isZero();
                rebuild(cluster, "node-3", differs(leader, "node-3"));
                cluster.awaitReport("node-1", told -> differs(told, "node-3") == 0);
                awaitMore(cluster, "equal");
            }
            cluster.assertAllThere();
            cluster.assertSameRows(THREE);
            cluster.assertAllThereAt("node-3", 3);
            assertThat(count(cluster, "undecided")).isZero();
        }
    }

    /** It knows so of itself, also once another one leads. */
    @Test
    void leaderWithAChangedByteReportsItself_alsoAfterItsLead() throws Exception {
        try (TestCluster cluster = cluster(folder, OFTEN)) {
            cluster.write(50);
            cluster.lead("node-1", 1);
            flip(cluster, "node-1", "00000007");
            cluster.awaitReport("node-1", leader -> leader.getDiffersAt() > 0);
            cluster.lead("node-2", 1);
            cluster.awaitReport("node-1", replica -> !replica.getLeading());
            assertThat(cluster.manager.replica("node-1").orElseThrow().getDiffersAt()).isPositive();
            cluster.awaitReport("node-2", leader -> differs(leader, "node-1") > 0);
        }
    }

    @Test
    void memberIsNotReported_whenNoMajorityHoldsTheSame() throws Exception {
        try (TestCluster cluster = cluster(folder, OFTEN)) {
            cluster.write(50);
            cluster.lead("node-1", 1);
            flip(cluster, "node-2", "00000007");
            flip(cluster, "node-3", "00000008");
            cluster.awaitReport("node-1", leader -> leader.getUndecidedAt() > 0);
            ReplicaReport leader = cluster.manager.replica("node-1").orElseThrow();
            assertThat(leader.getDiffersAt()).isZero();
            assertThat(differs(leader, "node-2")).isZero();
            assertThat(differs(leader, "node-3")).isZero();
            cluster.write(5);
        }
    }

    private static Optional<RangeDescriptor> led(TestCluster cluster, String node, RangeId id) {
        return cluster.manager
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
            cluster.manager.transferLead(right.rangeId(), at, leads.orElseThrow());
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
                                                                cluster.manager
                                                                        .replica(node, child)
                                                                        .filter(
                                                                                ReplicaReport
                                                                                        ::getLeading)
                                                                        .isPresent()));
                cluster.manager.withdrawOrders();
                awaitMore(cluster, "equal");
                for (String leader : List.of("node-2", "node-3", "node-1")) {
                    cluster.manager.transferLead(TestCluster.RANGE, 2, leader);
                    await().until(
                                    () ->
                                            cluster.manager
                                                    .replica(leader, TestCluster.RANGE)
                                                    .filter(ReplicaReport::getLeading)
                                                    .isPresent());
                    cluster.manager.withdrawOrders();
                    awaitMore(cluster, "equal");
                }
                merge(cluster, child);
                awaitMore(cluster, "equal");
                cluster.kill("node-3");
                awaitMore(cluster, "unreachable");
                cluster.start("node-3");
                awaitMore(cluster, "equal");
            }
            writes.assertAllThere();
            assertThat(count(cluster, "differs")).isZero();
            assertThat(count(cluster, "undecided")).isZero();
        }
    }

    @Test
    void rangeIsNotCompared_whenItsLeaderIsToldNotTo() throws Exception {
        try (TestCluster cluster =
                TestCluster.ofThree(
                        folder,
                        node ->
                                node.withCompare(
                                        node.nodeId().orElseThrow().equals("node-1")
                                                ? new CompareConfig(
                                                        Duration.ZERO,
                                                        OFTEN.bytesPerSecondMax(),
                                                        OFTEN.snapshotAgeMax())
                                                : OFTEN))) {
            cluster.awaitLeader();
            cluster.write(10);
            cluster.lead("node-2", 1);
            awaitMore(cluster, "off");
            assertThat(count(cluster, "equal")).isZero();
            cluster.lead("node-1", 1);
            flip(cluster, "node-3", "00000007");
            double before = total(cluster.node("node-1"));
            cluster.write(50);
            assertThat(total(cluster.node("node-1"))).isEqualTo(before).isZero();
        }
    }

    private static double total(RunningServer server) {
        return server.meters.find("partition_server_replica_comparisons").counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    /** 1.6 MB at 256 KiB a second take longer than rows of one moment are kept. */
    @Test
    void rowsAreReadNoFasterThanToldAndKeptNoLonger() throws Exception {
        CompareConfig slow =
                new CompareConfig(Duration.ofMillis(300), 256 << 10, Duration.ofSeconds(1));
        try (TestCluster cluster = cluster(folder, slow)) {
            cluster.writeLarge(4);
            awaitMore(cluster, "late");
            double equal = count(cluster, "equal");
            awaitMore(cluster, "late");
            assertThat(count(cluster, "equal")).as("it is too much to be read").isEqualTo(equal);
            cluster.write(20);
            cluster.assertAllThere();
        }
    }
}
