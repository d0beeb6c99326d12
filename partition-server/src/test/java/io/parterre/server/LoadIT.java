package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.Commands.key;
import static io.parterre.server.RangeClient.command;
import static io.parterre.server.RangeClient.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.proto.manager.LoadShape;
import io.parterre.proto.manager.RangeLoad;
import io.parterre.proto.manager.ReplicaReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a leader tells the manager of the load on its range. */
final class LoadIT {
    private static final int READS_PER_SECOND = 600;
    private static final int WRITES_PER_SECOND = 150;

    @TempDir Path folder;

    /** Asks a node for partitions by chance, at a steady pace. */
    private static final class Pace implements AutoCloseable {
        private static final int TICKS_PER_SECOND = 50;

        private final ScheduledExecutorService thread =
                Executors.newSingleThreadScheduledExecutor();
        private final Random random = new Random(7);
        private volatile RunningServer target;
        private volatile int partitions;
        // Of the thread alone.
        private long sequence;

        Pace(RunningServer target, int partitions) {
            aim(target, partitions);
            thread.scheduleAtFixedRate(
                    this::ask, 0, 1_000 / TICKS_PER_SECOND, TimeUnit.MILLISECONDS);
        }

        void aim(RunningServer at, int partitionCount) {
            target = at;
            partitions = partitionCount;
        }

        private void ask() {
            for (int i = 0; i < READS_PER_SECOND / TICKS_PER_SECOND; i++) {
                target.client().send(read(key(partition(), "r")));
            }
            for (int i = 0; i < WRITES_PER_SECOND / TICKS_PER_SECOND; i++) {
                sequence++;
                target.client()
                        .send(command(insert(sequence, partition(), "w" + sequence, "text")));
            }
        }

        private String partition() {
            return String.format("p%03d", random.nextInt(partitions));
        }

        @Override
        public void close() throws InterruptedException {
            thread.shutdownNow();
            assertThat(thread.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static Optional<RangeLoad> load(TestCluster cluster, String node) {
        return cluster.reports
                .replica(node)
                .filter(ReplicaReport::hasLoad)
                .map(ReplicaReport::getLoad);
    }

    private static double gauge(TestCluster cluster, String node, String name) {
        return cluster.node(node).meters.get("partition_server_" + name).gauge().value();
    }

    private static boolean isNear(double rate, int wanted) {
        return Math.abs(rate - wanted) < 0.3 * wanted;
    }

    private static boolean isSplitPointInTheMiddle(RangeLoad load) {
        Key splitPoint = Key.wrap(load.getSplitPoint().toByteArray());
        return KeyCodec.isSplitPoint(splitPoint)
                && splitPoint.compareTo(KeyCodec.partitionPrefix(key("p035", ""))) > 0
                && splitPoint.compareTo(KeyCodec.partitionPrefix(key("p065", ""))) < 0
                && Math.abs(load.getSplitPointPermille() - 500) < 100;
    }

    private static RangeLoad await(TestCluster cluster, String node, Predicate<RangeLoad> wanted) {
        AtomicReference<RangeLoad> found = new AtomicReference<>();
        TestCluster.await()
                .until(
                        () -> {
                            load(cluster, node).filter(wanted).ifPresent(found::set);
                            return found.get() != null;
                        });
        return found.get();
    }

    @Test
    void leaderReportsLoadAndSplitPoint_fromItsOwnLeadershipOnly() throws Exception {
        try (TestCluster cluster = TestCluster.ofThree(folder);
                Pace pace = new Pace(cluster.node(cluster.awaitLeader()), 100)) {
            String first = cluster.awaitLeader();
            await(
                    cluster,
                    first,
                    load ->
                            isNear(load.getReadsPerSecond(), READS_PER_SECOND)
                                    && isNear(load.getWritesPerSecond(), WRITES_PER_SECOND)
                                    && load.getBytesPerSecond() > 10_000
                                    && load.getCpuPermille() > 0
                                    && load.getShape() == LoadShape.SPREAD
                                    && isSplitPointInTheMiddle(load));
            TestCluster.await()
                    .until(
                            () ->
                                    isNear(
                                            gauge(cluster, first, "led_reads_per_second"),
                                            READS_PER_SECOND));
            assertThat(gauge(cluster, first, "hottest_range_operations_per_second"))
                    .isGreaterThan(READS_PER_SECOND / 2.0);
            String second =
                    cluster.founders().stream()
                            .filter(node -> !node.equals(first))
                            .findFirst()
                            .orElseThrow();
            assertThat(load(cluster, second)).isEmpty();

            long orderedNanos = System.nanoTime();
            pace.aim(cluster.node(second), 1);
            cluster.lead(second, 1);
            RangeLoad load =
                    await(cluster, second, each -> each.getShape() == LoadShape.ONE_PARTITION);
            assertThat(load.getSplitPoint().isEmpty()).isTrue();
            assertObservedSince(orderedNanos, load);
            TestCluster.await().until(() -> load(cluster, first).isEmpty());

            // It has led before, and that is forgotten.
            long backNanos = System.nanoTime();
            cluster.lead(first, 1);
            RangeLoad again = await(cluster, first, each -> true);
            assertThat(again.getShape()).isEqualTo(LoadShape.LOAD_SHAPE_UNSPECIFIED);
            assertObservedSince(backNanos, again);
        }
    }

    private static void assertObservedSince(long nanos, RangeLoad load) {
        assertThat(Duration.ofMillis(load.getObservedMillis()))
                .isLessThanOrEqualTo(Duration.ofNanos(System.nanoTime() - nanos));
    }
}
