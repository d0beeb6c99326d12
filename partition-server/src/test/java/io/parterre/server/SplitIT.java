package io.parterre.server;

import static io.parterre.server.Commands.TABLE;
import static io.parterre.server.Commands.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import com.google.protobuf.ByteString;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.proto.manager.RefusedSplit;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.proto.range.RangeResponse;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.crash.CrashPoint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A range that becomes two, with real Raft groups and stores. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
final class SplitIT {
    private static final List<String> THREE = List.of("node-1", "node-2", "node-3");
    private static final RangeId CHILD = new RangeId(2);
    private static final Key SPLIT_POINT = KeyCodec.partition(TABLE, "m");
    private static final KeyRange ROWS = Writes.ROWS;

    @TempDir Path folder;

    private static void split(TestCluster cluster) {
        cluster.manager.split(TestCluster.RANGE, 1, bytes(SPLIT_POINT), CHILD);
    }

    @Test
    void bothHalvesServeAndStaleRequestGetsDescriptors_afterSplit() throws Exception {
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            Writes writes = new Writes(cluster);
            writes.write(10);
            cluster.lead("node-1", 1);

            split(cluster);
            assertThat(cluster.awaitLeader(CHILD)).isEqualTo("node-1");

            writes.write(10);
            writes.assertAllThere();
            RangeResponse stale =
                    cluster.node("node-1")
                            .client()
                            .call(
                                    RangeClient.read(Commands.key("x", "1"))
                                            .setRangeId(1)
                                            .setGeneration(1));
            assertThat(stale.getStaleRange().getDescriptorsList())
                    .extracting(each -> each.getRangeId())
                    .containsExactly(1L, 2L);
            // What a manager learns of it.
            ReplicaReport parent =
                    cluster.reports.replica("node-1", TestCluster.RANGE).orElseThrow();
            RangeDescriptor told = DescriptorCodec.fromProto(parent.getRange());
            assertThat(told.bounds()).isEqualTo(new KeyRange(Key.FIRST, SPLIT_POINT));
            assertThat(told.generation().value()).isEqualTo(2);
            // The order stands, and changes nothing more.
            assertThat(cluster.reports.refusedSplits("node-1")).isEmpty();
        }
    }

    /** A removal holds the lock of all replicas while it waits for syncs and for Ratis. */
    @Test
    void childJoinsItsGroup_whileRemovalOfAnotherReplicaIsHeldUp() throws Exception {
        RangeId second = new RangeId(3);
        CountDownLatch removing = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(1);
        try (TestCluster cluster = TestCluster.in(folder).founded()) {
            cluster.start("node-1");
            cluster.start("node-2");
            cluster.start(
                    "node-3",
                    point -> {
                        if (point == CrashPoint.REMOVAL_MARKED) {
                            removing.countDown();
                            Uninterruptibles.awaitUninterruptibly(held);
                        }
                    });
            Writes writes = new Writes(cluster);
            writes.write(10);
            cluster.lead("node-1", 1);
            split(cluster);
            assertThat(cluster.awaitLeader(CHILD)).isEqualTo("node-1");
            cluster.manager.withdrawOrders();
            cluster.manager.change(2, List.of("node-1", "node-2"));
            cluster.awaitReport("node-1", replica -> replica.getGeneration() == 3);
            cluster.manager.withdrawOrders();
            cluster.manager.remove("node-3", 3);
            assertThat(removing.await(60, TimeUnit.SECONDS)).isTrue();

            cluster.manager.split(CHILD, 2, bytes(KeyCodec.partition(TABLE, "t")), second);
            assertThat(cluster.awaitLeader(second)).isEqualTo("node-1");
            writes.write(10);
            long written =
                    cluster.reports.replica("node-1", second).orElseThrow().getAppliedIndex();
            TestCluster.await()
                    .until(
                            () ->
                                    cluster.reports
                                            .replica("node-3", second)
                                            .filter(each -> each.getAppliedIndex() >= written)
                                            .isPresent());
            held.countDown();
            writes.assertAllThere();
        } finally {
            held.countDown();
        }
    }

    @Test
    void splitChildIsLedByNamedNode_whenLeaderChoosesSplitPoint() throws Exception {
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            Writes writes = new Writes(cluster);
            for (String partition : List.of("a", "b", "c", "d")) {
                for (int i = 0; i < 5; i++) {
                    writes.write(partition);
                }
            }
            cluster.lead("node-1", 1);
            cluster.awaitLevel(THREE);
            cluster.manager.split(TestCluster.RANGE, 1, ByteString.EMPTY, CHILD, "node-3");
            TestCluster.await().until(() -> cluster.leads("node-3", CHILD));
            cluster.manager.withdrawOrders();
            writes.write(5);

            assertThat(writes.client.rangeOf(Commands.key("b", "1")).rangeId())
                    .isEqualTo(TestCluster.RANGE);
            assertThat(writes.client.rangeOf(Commands.key("c", "1")).rangeId()).isEqualTo(CHILD);
            writes.assertAllThere();
        }
    }

    @Test
    void splitIsRejectedWithReason_whenOrderIsInvalid() throws Exception {
        try (TestCluster cluster = TestCluster.in(folder).nodes("node-1").start()) {
            Writes writes = new Writes(cluster);
            writes.write(1);
            Map<RefusedSplit.Reason, Runnable> orders =
                    Map.of(
                            RefusedSplit.Reason.OTHER_GENERATION,
                            () ->
                                    cluster.manager.split(
                                            TestCluster.RANGE, 2, bytes(SPLIT_POINT), CHILD),
                            RefusedSplit.Reason.BAD_SPLIT_POINT,
                            () ->
                                    cluster.manager.split(
                                            TestCluster.RANGE,
                                            1,
                                            bytes(Commands.key("m", "r")),
                                            CHILD),
                            RefusedSplit.Reason.CHILD_KNOWN,
                            () ->
                                    cluster.manager.split(
                                            TestCluster.RANGE,
                                            1,
                                            bytes(SPLIT_POINT),
                                            TestCluster.RANGE));
            orders.forEach(
                    (reason, order) -> {
                        order.run();
                        TestCluster.await()
                                .until(
                                        () ->
                                                cluster.reports.refusedSplits("node-1").stream()
                                                        .anyMatch(
                                                                each ->
                                                                        each.getReason()
                                                                                == reason));
                        cluster.manager.withdrawOrders();
                    });
            TestCluster.await().until(() -> cluster.reports.refusedSplits("node-1").isEmpty());
            writes.assertAllThere();
        }
    }

    @Test
    void tableFenceCoversBothHalves_afterSplit() throws Exception {
        try (TestCluster cluster = TestCluster.in(folder).nodes("node-1").start()) {
            Writes writes = new Writes(cluster);
            writes.write(5);
            split(cluster);
            TestCluster.await().until(() -> cluster.leads("node-1", CHILD));
            Key from = ROWS.start();
            int fenced = 0;
            while (from.compareTo(ROWS.endExclusive()) < 0) {
                RangeResponse response =
                        writes.client.write(
                                from, Commands.fence(writes.sequences.incrementAndGet(), TABLE));
                from = Key.wrap(response.getOutcome().getFenced().getEndExclusive().toByteArray());
                fenced++;
            }
            assertThat(fenced).isEqualTo(2);
            for (String partition : List.of("a", "x")) {
                Key key = Commands.key(partition, "1");
                assertThat(writes.client.call(key, range -> RangeClient.read(key)).hasScopeFenced())
                        .isTrue();
            }
        }
    }

    /** Seconds by {@code parterre.split.seconds}. */
    @Test
    void writesApplyOnceAndScansMissNoRow_whileRangesSplit() throws Exception {
        long seed = Long.getLong("parterre.split.seed", System.nanoTime());
        int splits = Integer.getInteger("parterre.split.count", 6);
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            Writes writes = new Writes(cluster);
            writes.write(2);
            AtomicBoolean ends = new AtomicBoolean();
            List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Random random = new Random(seed + i);
                boolean reads = i == 2;
                Thread thread =
                        new Thread(
                                () -> {
                                    try {
                                        while (!ends.get()) {
                                            if (reads) {
                                                List<Key> before = List.copyOf(writes.acknowledged);
                                                assertThat(writes.client.scan(ROWS, 7))
                                                        .doesNotHaveDuplicates()
                                                        .containsAll(before);
                                            } else {
                                                writes.write(partition(random));
                                            }
                                        }
                                    } catch (Throwable failure) {
                                        failures.add(failure);
                                    }
                                });
                thread.start();
                threads.add(thread);
            }
            Random random = new Random(seed);
            for (int i = 0; i < splits; i++) {
                Key splitPoint = KeyCodec.partition(TABLE, partition(random));
                RangeDescriptor range = writes.client.rangeOf(splitPoint);
                if (range.bounds().start().equals(splitPoint)) {
                    continue;
                }
                RangeId child = new RangeId(100 + i);
                cluster.manager.split(
                        range.rangeId(), range.generation().value(), bytes(splitPoint), child);
                cluster.awaitLeader(child);
                cluster.manager.withdrawOrders();
                // The client learns of it before the next.
                writes.write(partition(random));
                writes.client.call(
                        splitPoint, each -> RangeClient.read(splitPoint.append(KEY_END)));
            }
            ends.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).as("seed %s", seed).isEmpty();
            writes.assertAllThere();
        }
    }

    /** How long the child's half waits: {@code parterre.split.pauses} splits, their pauses. */
    @Test
    @Tag("long")
    void writePausesOfSplitChildAreMeasured_whileRangesSplit() throws Exception {
        int splits = Integer.getInteger("parterre.split.pauses", 20);
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            Writes writes = new Writes(cluster);
            AtomicBoolean ends = new AtomicBoolean();
            AtomicLong longestNanos = new AtomicLong();
            Thread writer =
                    new Thread(
                            () -> {
                                long last = System.nanoTime();
                                while (!ends.get()) {
                                    writes.write("zz");
                                    long now = System.nanoTime();
                                    longestNanos.accumulateAndGet(now - last, Math::max);
                                    last = now;
                                }
                            });
            writes.write(200);
            writer.start();
            List<Long> pausesMillis = new ArrayList<>();
            for (int i = 0; i < splits; i++) {
                // Of the last range again and again: the writer's rows are in the child each time.
                Key splitPoint = KeyCodec.partition(TABLE, String.format("x%04d", i));
                RangeDescriptor range = writes.client.rangeOf(splitPoint);
                RangeId child = new RangeId(100 + i);
                long before = writes.acknowledged.size();
                TestCluster.await().until(() -> writes.acknowledged.size() > before + 20);
                longestNanos.set(0);
                cluster.manager.split(
                        range.rangeId(), range.generation().value(), bytes(splitPoint), child);
                TestCluster.await()
                        .until(
                                () ->
                                        writes.client
                                                .rangeOf(Commands.key("zz", "1"))
                                                .rangeId()
                                                .equals(child));
                cluster.manager.withdrawOrders();
                long seen = writes.acknowledged.size();
                TestCluster.await().until(() -> writes.acknowledged.size() > seen + 20);
                pausesMillis.add(longestNanos.get() / 1_000_000);
            }
            ends.set(true);
            writer.join();
            pausesMillis.sort(null);
            System.out.println("pauses of the child's half in ms, sorted: " + pausesMillis);
            writes.assertAllThere();
        }
    }

    /** A row key, encoded. */
    private static final byte[] KEY_END = {'r', 0, 1};

    private static String partition(Random random) {
        return String.valueOf((char) ('b' + random.nextInt(24)));
    }
}
