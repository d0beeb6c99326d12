package io.parterre.server;

import static io.parterre.server.Commands.TABLE;
import static io.parterre.server.Commands.bytes;
import static org.assertj.core.api.Assertions.assertThat;

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
import io.parterre.testing.Tier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A range that becomes two, with real Raft groups and stores. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
final class SplitIT {
    private static final List<String> THREE = List.of("node-1", "node-2", "node-3");
    private static final RangeId CHILD = new RangeId(2);
    private static final Key CUT = KeyCodec.partition(TABLE, "m");
    private static final KeyRange ROWS = Writes.ROWS;

    @TempDir Path folder;

    private static void split(TestCluster cluster) {
        cluster.manager.split(TestCluster.RANGE, 1, bytes(CUT), CHILD);
    }

    private static boolean leads(TestCluster cluster, String node, RangeId rangeId) {
        return cluster.manager.replica(node, rangeId).filter(ReplicaReport::getLeading).isPresent();
    }

    private static String awaitLeader(TestCluster cluster, RangeId rangeId) {
        TestCluster.await()
                .until(() -> THREE.stream().anyMatch(node -> leads(cluster, node, rangeId)));
        return THREE.stream().filter(node -> leads(cluster, node, rangeId)).findFirst().get();
    }

    @Test
    void bothHalvesServeAndStaleRequestGetsDescriptors_afterSplit() throws Exception {
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            Writes writes = new Writes(cluster);
            writes.write(10);
            cluster.lead("node-1", 1);

            split(cluster);
            assertThat(awaitLeader(cluster, CHILD)).isEqualTo("node-1");

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
                    cluster.manager.replica("node-1", TestCluster.RANGE).orElseThrow();
            RangeDescriptor told = DescriptorCodec.fromProto(parent.getRange());
            assertThat(told.bounds()).isEqualTo(new KeyRange(Key.FIRST, CUT));
            assertThat(told.generation().value()).isEqualTo(2);
            // The order stands, and changes nothing more.
            assertThat(cluster.manager.refusedSplits("node-1")).isEmpty();
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
            TestCluster.await().until(() -> leads(cluster, "node-3", CHILD));
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
        try (TestCluster cluster = TestCluster.of(folder, "node-1")) {
            Writes writes = new Writes(cluster);
            writes.write(1);
            Map<RefusedSplit.Reason, Runnable> orders =
                    Map.of(
                            RefusedSplit.Reason.OTHER_GENERATION,
                            () -> cluster.manager.split(TestCluster.RANGE, 2, bytes(CUT), CHILD),
                            RefusedSplit.Reason.BAD_CUT,
                            () ->
                                    cluster.manager.split(
                                            TestCluster.RANGE,
                                            1,
                                            bytes(Commands.key("m", "r")),
                                            CHILD),
                            RefusedSplit.Reason.CHILD_KNOWN,
                            () ->
                                    cluster.manager.split(
                                            TestCluster.RANGE, 1, bytes(CUT), TestCluster.RANGE));
            orders.forEach(
                    (reason, order) -> {
                        order.run();
                        TestCluster.await()
                                .until(
                                        () ->
                                                cluster.manager.refusedSplits("node-1").stream()
                                                        .anyMatch(
                                                                each ->
                                                                        each.getReason()
                                                                                == reason));
                        cluster.manager.withdrawOrders();
                    });
            TestCluster.await().until(() -> cluster.manager.refusedSplits("node-1").isEmpty());
            writes.assertAllThere();
        }
    }

    enum Killed {
        LEADER,
        FOLLOWER,
        ALL
    }

    /** Each step and each victim are met; the long tier has all pairs. */
    static Stream<Arguments> crashes() {
        boolean all = Tier.isLong();
        List<Arguments> crashes = new ArrayList<>();
        for (CrashPoint point : CrashPointIT.by(CrashPointIT.Way.SPLIT).toList()) {
            for (Killed killed : Killed.values()) {
                boolean chosen =
                        killed == Killed.ALL
                                || point == CrashPoint.SPLIT_APPLIED && killed == Killed.LEADER
                                || point == CrashPoint.CHILD_JOINED && killed == Killed.FOLLOWER;
                boolean happens = point != CrashPoint.CHILD_LED || killed != Killed.FOLLOWER;
                if (happens && (all || chosen)) {
                    crashes.add(Arguments.of(point, killed));
                }
            }
        }
        return crashes.stream();
    }

    @ParameterizedTest
    @MethodSource("crashes")
    void ackedWritesSurvive_whenNodesCrashDuringSplit(CrashPoint point, Killed killed)
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
            awaitLeader(cluster, CHILD);
            cluster.manager.withdrawOrders();
            writes.write(5);
            writes.assertAllThere();

            for (String node : THREE) {
                TestCluster.await().until(() -> cluster.manager.replica(node, CHILD).isPresent());
            }
            // Whoever leads a half has all of it.
            String other = victims.get(0).equals("node-2") ? "node-2" : "node-3";
            for (RangeId rangeId : List.of(TestCluster.RANGE, CHILD)) {
                cluster.manager.transferLead(rangeId, 2, other);
                TestCluster.await().until(() -> leads(cluster, other, rangeId));
                cluster.manager.withdrawOrders();
            }
            writes.write(2);
            writes.assertAllThere();
        }
    }

    private static final List<RangeId> CHILDREN = List.of(CHILD, new RangeId(3), new RangeId(4));

    /** With and without members that end in the middle of it. */
    @ParameterizedTest
    @CsvSource({", ALL", "SPLIT_APPLIED, ALL", "SPLIT_FLUSHED, LEADER", "CHILD_JOINED, ALL"})
    void oneOrderSplitsRangeInFour_withOrWithoutMemberCrashes(CrashPoint point, Killed killed)
            throws Exception {
        try (TestCluster cluster = TestCluster.founded(folder, THREE)) {
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
                awaitLeader(cluster, child);
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
        String leader = awaitLeader(cluster, rangeId);
        return DescriptorCodec.fromProto(
                cluster.manager.replica(leader, rangeId).orElseThrow().getRange());
    }

    @Test
    void memberGetsBothHalvesByCopy_whenItMissedTheSplit() throws Exception {
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            Writes writes = new Writes(cluster);
            writes.write(10);
            cluster.lead("node-1", 1);
            cluster.awaitLevel(THREE);
            cluster.node("node-3").flush();
            cluster.kill("node-3");
            split(cluster);
            awaitLeader(cluster, CHILD);
            cluster.manager.withdrawOrders();
            writes.write(10);
            purge(cluster, writes);

            cluster.start("node-3");
            TestCluster.await()
                    .until(
                            () ->
                                    cluster.manager
                                            .replica("node-3", TestCluster.RANGE)
                                            .filter(each -> each.getGeneration() == 2)
                                            .isPresent());
            assertThat(cluster.manager.replica("node-3", CHILD)).isEmpty();
            RangeDescriptor child = writes.client.rangeOf(Commands.key("x", "1"));
            cluster.manager.join("node-3", child);
            TestCluster.await().until(() -> cluster.manager.replica("node-3", CHILD).isPresent());
            cluster.manager.withdrawOrders();
            writes.write(5);

            for (RangeId rangeId : List.of(TestCluster.RANGE, CHILD)) {
                cluster.manager.transferLead(rangeId, 2, "node-3");
                TestCluster.await().until(() -> leads(cluster, "node-3", rangeId));
                cluster.manager.withdrawOrders();
            }
            writes.assertAllThere();
            assertThat(cluster.node("node-3").failures).isEmpty();
        }
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

    @Test
    void tableFenceCoversBothHalves_afterSplit() throws Exception {
        try (TestCluster cluster = TestCluster.of(folder, "node-1")) {
            Writes writes = new Writes(cluster);
            writes.write(5);
            split(cluster);
            TestCluster.await().until(() -> leads(cluster, "node-1", CHILD));
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
                Key cut = KeyCodec.partition(TABLE, partition(random));
                RangeDescriptor range = writes.client.rangeOf(cut);
                if (range.bounds().start().equals(cut)) {
                    continue;
                }
                RangeId child = new RangeId(100 + i);
                cluster.manager.split(
                        range.rangeId(), range.generation().value(), bytes(cut), child);
                awaitLeader(cluster, child);
                cluster.manager.withdrawOrders();
                // The client learns of it before the next.
                writes.write(partition(random));
                writes.client.call(cut, each -> RangeClient.read(cut.append(KEY_END)));
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
                Key cut = KeyCodec.partition(TABLE, String.format("x%04d", i));
                RangeDescriptor range = writes.client.rangeOf(cut);
                RangeId child = new RangeId(100 + i);
                long before = writes.acknowledged.size();
                TestCluster.await().until(() -> writes.acknowledged.size() > before + 20);
                longestNanos.set(0);
                cluster.manager.split(
                        range.rangeId(), range.generation().value(), bytes(cut), child);
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
