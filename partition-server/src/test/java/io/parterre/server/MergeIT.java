package io.parterre.server;

import static io.parterre.server.Commands.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.proto.manager.RefusedMerge;
import io.parterre.proto.range.RangeResponse;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.crash.CrashPoint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Two ranges that become one. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
final class MergeIT extends RangeMerges {
    @Test
    void mergedRangeServesBothHalvesAndRightRangeIsCleanedUp() throws Exception {
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            Writes writes = new Writes(cluster);
            writes.write(10);
            cluster.lead("node-1", 1);
            split(cluster, RIGHT, 1, SPLIT_POINT);
            writes.write(10);
            long at = writes.sequences.get();
            Key repeated = Commands.key("x", String.format("%08d", at));

            cluster.manager.merge(LEFT, 2, RIGHT, 2);
            TestCluster.await().until(() -> isJoined(cluster, LEFT, repeated));
            RangeDescriptor joined = range(cluster, LEFT).orElseThrow();
            assertThat(joined.bounds()).isEqualTo(KeyRange.ALL);
            assertThat(joined.generation().value()).isEqualTo(4);

            // What was executed in the right one is known in the joined one.
            RangeResponse again =
                    writes.client.write(
                            repeated, Commands.insert(at, "x", String.format("%08d", at), "text"));
            assertThat(again.getOutcome().hasWritten()).isTrue();
            writes.write(10);
            writes.assertAllThere();
            RangeResponse stale =
                    cluster.node("node-1")
                            .client()
                            .call(RangeClient.read(repeated).setRangeId(2).setGeneration(2));
            assertThat(stale.getStaleRange().getDescriptorsList())
                    .extracting(DescriptorCodec::fromProto)
                    .containsExactly(joined);
            awaitAbsorbedRemoved(cluster, RIGHT);
            // The order stands, and changes nothing more.
            assertThat(cluster.reports.refusedMerges("node-1")).isEmpty();
            cluster.manager.withdrawOrders();

            // Any leader of it has all of it, also after a start.
            cluster.manager.transferLeadership(LEFT, 4, "node-2");
            TestCluster.await().until(() -> led(cluster, "node-2", LEFT).isPresent());
            cluster.manager.withdrawOrders();
            writes.assertAllThere();
            cluster.killAll();
            for (String node : THREE) {
                cluster.start(node);
            }
            writes.write(2);
            writes.assertAllThere();
            split(cluster, new RangeId(3), 4, SPLIT_POINT);
            writes.write(2);
            writes.assertAllThere();
        }
    }

    /** Starts three nodes; writes go to two ranges, which node-1 leads. */
    private static Writes startSplit(TestCluster cluster, CrashingNode third) throws IOException {
        cluster.start("node-1");
        cluster.start("node-2");
        cluster.start("node-3", third);
        Writes writes = new Writes(cluster);
        writes.write(5);
        cluster.lead("node-1", 1);
        split(cluster, RIGHT, 1, SPLIT_POINT);
        writes.write(5);
        return writes;
    }

    @Test
    void mergeIsAbortedAndWritesResume_whenMemberStopsDuringFreeze() throws Exception {
        try (TestCluster cluster = TestCluster.in(folder).founded()) {
            CrashingNode third = new CrashingNode();
            Writes writes = startSplit(cluster, third);
            // One that has applied the freeze may have said so, and then the merge takes effect.
            third.crashAt(CrashPoint.MERGE_FREEZE_COMMITTED);
            cluster.manager.merge(LEFT, 2, RIGHT, 2);
            TestCluster.await().untilTrue(third.crashed());

            // Meanwhile nobody is refused for good, and the left one is not held up.
            writes.write("a");
            writes.write("x");
            TestCluster.await()
                    .until(
                            () ->
                                    range(cluster, RIGHT)
                                            .filter(range -> !range.isFrozen())
                                            .filter(range -> range.generation().value() == 4)
                                            .isPresent());
            assertThat(range(cluster, LEFT).orElseThrow().generation().value()).isEqualTo(3);
            TestCluster.await()
                    .until(
                            () ->
                                    cluster.reports.hasEverRefused(
                                            LEFT, 2, RefusedMerge.Reason.MEMBER_BEHIND));
            cluster.manager.withdrawOrders();
            writes.write(5);

            // One that is away is asked before anything is held up.
            cluster.kill("node-3");
            cluster.manager.merge(LEFT, 3, RIGHT, 4);
            TestCluster.await()
                    .until(
                            () ->
                                    cluster.reports.hasEverRefused(
                                            LEFT, 3, RefusedMerge.Reason.MEMBER_BEHIND));
            cluster.manager.withdrawOrders();
            assertThat(range(cluster, RIGHT).orElseThrow().generation().value()).isEqualTo(4);

            cluster.start("node-3");
            merge(cluster, LEFT, RIGHT, Commands.key("x", "1"));
            writes.write(5);
            writes.assertAllThere();
            awaitAbsorbedRemoved(cluster, RIGHT);
        }
    }

    @Test
    void memberGetsMergedRangeByCopy_whenItMissedTheMerge() throws Exception {
        try (TestCluster cluster = TestCluster.in(folder).founded()) {
            CrashingNode third = new CrashingNode();
            Writes writes = startSplit(cluster, third);
            // So that rows of the right one lie there, of which some are deleted meanwhile.
            cluster.node("node-3").flush();
            third.crashAt(CrashPoint.MERGE_ABSORB_APPLIED);
            merge(cluster, LEFT, RIGHT, Commands.key("x", "1"));
            TestCluster.await().untilTrue(third.crashed());
            cluster.kill("node-3");
            Key gone = writes.acknowledged.stream().max(Key::compareTo).orElseThrow();
            delete(writes, gone);
            String large = "x".repeat(400_000);
            for (int i = 0; i < 50; i++) {
                writes.write("x", large);
            }
            for (RunningServer server : cluster.servers()) {
                server.flush();
            }
            TestCluster.await()
                    .until(
                            () -> {
                                writes.write(1);
                                return cluster.logBegin("node-1", LEFT) > 40;
                            });

            cluster.start("node-3");
            cluster.awaitKnown("node-3");
            awaitAbsorbedRemoved(cluster, RIGHT);
            cluster.awaitReport("node-3", report -> report.getGeneration() == 4);
            cluster.manager.transferLeadership(LEFT, 4, "node-3");
            TestCluster.await().until(() -> led(cluster, "node-3", LEFT).isPresent());
            cluster.manager.withdrawOrders();
            writes.write(2);
            writes.assertAllThere();
            assertThat(cluster.node("node-3").failures).isEmpty();
            cluster.awaitLevel(THREE);
            cluster.assertSameRows(THREE);
        }
    }

    private static void delete(Writes writes, Key key) {
        long sequence = writes.sequences.incrementAndGet();
        io.parterre.key.EntityKey entity = KeyCodec.decode(key);
        RangeResponse response =
                writes.client.write(
                        key,
                        Commands.write(
                                sequence,
                                io.parterre.proto.range.EntityOperation.Kind.DELETE,
                                entity.partitionKey(),
                                entity.rowKey(),
                                ""));
        assertThat(response.getOutcome().hasWritten()).as(response.toString()).isTrue();
        writes.acknowledged.remove(key);
    }

    /** It is needed by a left neighbour that has not come to the merge. */
    @Test
    void removalOfRightReplicaWaits_untilLaggingLeftAbsorbsIt() throws Exception {
        try (TestCluster cluster = TestCluster.in(folder).founded()) {
            CrashingNode third = new CrashingNode();
            Writes writes = startSplit(cluster, third);
            third.crashAt(CrashPoint.MERGE_ABSORB_APPLIED);
            merge(cluster, LEFT, RIGHT, Commands.key("x", "1"));
            TestCluster.await().untilTrue(third.crashed());
            cluster.kill("node-3");
            writes.write(5);
            // What a manager says of a range that no longer exists, to a node that tells of it.
            cluster.manager.remove("node-3", RIGHT, 4);
            cluster.start("node-3");
            cluster.awaitReport("node-3", report -> report.getGeneration() == 4);
            awaitAbsorbedRemoved(cluster, RIGHT);
            cluster.manager.withdrawOrders();
            writes.write(5);
            cluster.awaitLevel(THREE);
            cluster.assertSameRows(THREE);
            assertThat(cluster.reports.replica("node-3").orElseThrow().getDamage()).isEmpty();
        }
    }

    @Test
    void tableFenceCoversMergedRange_whenMergeInterruptsDeletion() throws Exception {
        try (TestCluster cluster = TestCluster.in(folder).nodes("node-1").start()) {
            Writes writes = new Writes(cluster);
            writes.write(5);
            split(cluster, RIGHT, 1, SPLIT_POINT);
            writes.write(5);
            Key from = fenced(writes, Writes.ROWS.start());
            assertThat(from).isEqualTo(SPLIT_POINT);
            merge(cluster, LEFT, RIGHT, Commands.key("x", "1"));

            assertThat(fenced(writes, from)).isEqualTo(Key.LAST);
            for (String partition : List.of("a", "x")) {
                Key key = Commands.key(partition, "1");
                assertThat(writes.client.call(key, range -> RangeClient.read(key)).hasScopeFenced())
                        .isTrue();
            }
        }
    }

    private static Key fenced(Writes writes, Key from) {
        RangeResponse response =
                writes.client.write(
                        from, Commands.fence(writes.sequences.incrementAndGet(), TABLE));
        return Key.wrap(response.getOutcome().getFenced().getEndExclusive().toByteArray());
    }

    /** Rounds by {@code parterre.merge.count}. */
    @Test
    void writesApplyOnceAndScansMissNoRow_whileRangesMerge() throws Exception {
        long seed = Long.getLong("parterre.merge.seed", System.nanoTime());
        int rounds = Integer.getInteger("parterre.merge.count", 4);
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            Writes writes = new Writes(cluster);
            writes.write(2);
            AtomicBoolean ends = new AtomicBoolean();
            List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Random random = new Random(seed + i);
                boolean reads = i == 2;
                threads.add(
                        started(
                                ends,
                                failures,
                                () -> {
                                    if (reads) {
                                        List<Key> before = List.copyOf(writes.acknowledged);
                                        assertThat(writes.client.scan(Writes.ROWS, 7))
                                                .doesNotHaveDuplicates()
                                                .containsAll(before);
                                    } else {
                                        writes.write(partition(random));
                                    }
                                }));
            }
            Random random = new Random(seed);
            for (int i = 0; i < rounds; i++) {
                Key splitPoint = KeyCodec.partition(TABLE, partition(random));
                RangeId child = new RangeId(100 + i);
                long at = range(cluster, LEFT).orElseThrow().generation().value();
                split(cluster, child, at, splitPoint);
                merge(cluster, LEFT, child, splitPoint);
            }
            ends.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).as("seed %s", seed).isEmpty();
            writes.assertAllThere();
        }
    }

    private static Thread started(AtomicBoolean ends, List<Throwable> failures, Runnable work) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                while (!ends.get()) {
                                    work.run();
                                }
                            } catch (Throwable failure) {
                                failures.add(failure);
                            }
                        });
        thread.start();
        return thread;
    }

    /** How long the right half waits: {@code parterre.merge.pauses} merges, their pauses. */
    @Test
    @Timeout(900)
    @Tag("long")
    void writePausesOfRightRangeAreMeasured_whileRangesMerge() throws Exception {
        int merges = Integer.getInteger("parterre.merge.pauses", 20);
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            Writes writes = new Writes(cluster);
            writes.write(200);
            AtomicLong longestNanos = new AtomicLong();
            AtomicLong lastNanos = new AtomicLong(System.nanoTime());
            AtomicBoolean ends = new AtomicBoolean();
            List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
            Thread writer =
                    started(
                            ends,
                            failures,
                            () -> {
                                writes.write("zz");
                                long now = System.nanoTime();
                                longestNanos.accumulateAndGet(
                                        now - lastNanos.getAndSet(now), Math::max);
                            });
            List<Long> pausesMillis = new ArrayList<>();
            for (int i = 0; i < merges; i++) {
                RangeId child = new RangeId(100 + i);
                long at = range(cluster, LEFT).orElseThrow().generation().value();
                split(cluster, child, at, SPLIT_POINT);
                awaitMore(writes, 20);
                longestNanos.set(0);
                merge(cluster, LEFT, child, SPLIT_POINT);
                awaitMore(writes, 20);
                pausesMillis.add(longestNanos.get() / 1_000_000);
            }
            ends.set(true);
            writer.join();
            assertThat(failures).isEmpty();
            pausesMillis.sort(null);
            System.out.println("pauses of the right half in ms, sorted: " + pausesMillis);
            writes.assertAllThere();
        }
    }

    private static void awaitMore(Writes writes, int count) {
        long seen = writes.acknowledged.size();
        TestCluster.await().until(() -> writes.acknowledged.size() > seen + count);
    }

    private static String partition(Random random) {
        return String.valueOf((char) ('b' + random.nextInt(24)));
    }
}
