package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.crash.CrashHook;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.rows.StoredDigest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node ends in the midst of a log entry that makes much, or a new member gets a copy from there.
 * Nothing of the entry is lost, and nothing is applied twice.
 */
@Timeout(240)
final class SliceCrashIT {
    private static final List<String> THREE = List.of("node-1", "node-2", "node-3");
    private static final List<String> FOUR = List.of("node-1", "node-2", "node-3", "node-4");

    /** Of 400 kB each: all but the first are packed into one entry. */
    private static final int LARGE_ENTITIES = 40;

    @TempDir Path folder;

    private final AtomicBoolean enough = new AtomicBoolean();

    private static TestCluster cluster(Path folder, CrashHook<CrashPoint> ofFirst)
            throws Exception {
        TestCluster cluster = TestCluster.in(folder).founded();
        for (String node : THREE) {
            cluster.start(node, node.equals("node-1") ? ofFirst : CrashHook.none());
        }
        cluster.client.write(5);
        return cluster;
    }

    private CompletableFuture<Void> load(TestCluster cluster) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        cluster.client.mergeLarge(LARGE_ENTITIES, enough::get);
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    private void assertWhole(TestCluster cluster, CompletableFuture<Void> load, List<String> nodes)
            throws Exception {
        enough.set(true);
        load.get();
        cluster.client.write(3);
        cluster.client.assertAllThere();
        cluster.assertSameRows(nodes);
        for (String node : nodes) {
            assertThat(cluster.node(node).failures).isEmpty();
        }
    }

    /** Commands of an entry that a node has applied without the rest of it. */
    private static int begun(TestCluster cluster, String node) {
        try {
            return StoredDigest.of(cluster.node(node).server.store(), TestCluster.RANGE)
                    .applied()
                    .commands();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Ends its node between two slices, those before on disk, and gets past no moment then. */
    private static final class FlushedCrash implements CrashHook<CrashPoint> {
        private final AtomicBoolean crashed = new AtomicBoolean();
        private volatile boolean armed;
        private volatile Runnable flush = () -> {};

        @Override
        public void reached(CrashPoint point) {
            if (armed && point == CrashPoint.BETWEEN_SLICES) {
                armed = false;
                flush.run();
                crashed.set(true);
            }
            if (crashed.get()) {
                throw new IllegalStateException("crashed between slices");
            }
        }
    }

    private void crashAndComeBack(String leader) throws Exception {
        FlushedCrash crash = new FlushedCrash();
        try (TestCluster cluster = cluster(folder, crash)) {
            int[] begun = new int[1];
            crash.flush =
                    () -> {
                        cluster.node("node-1").server.store().flush();
                        begun[0] = begun(cluster, "node-1");
                    };
            cluster.lead(leader, 1);
            CompletableFuture<Void> load = load(cluster);
            crash.armed = true;
            TestCluster.await().untilTrue(crash.crashed);
            cluster.kill("node-1");
            cluster.start("node-1");
            cluster.awaitKnown("node-1");
            assertThat(begun[0]).isPositive();
            assertWhole(cluster, load, THREE);
        }
    }

    @Test
    void entryIsAppliedOnce_whenLeaderEndsBetweenItsSlices() throws Exception {
        crashAndComeBack("node-1");
    }

    @Test
    void entryIsAppliedOnce_whenFollowerEndsBetweenItsSlices() throws Exception {
        crashAndComeBack("node-2");
    }

    @Test
    void entryIsAppliedOnce_whenUnflushedNodeEndsBetweenItsSlices() throws Exception {
        CrashingNode crash = new CrashingNode();
        try (TestCluster cluster = cluster(folder, crash)) {
            cluster.lead("node-1", 1);
            CompletableFuture<Void> load = load(cluster);
            crash.crashAt(CrashPoint.BETWEEN_SLICES);
            TestCluster.await().untilTrue(crash.crashed());
            cluster.kill("node-1");
            cluster.start("node-1");
            cluster.awaitKnown("node-1");
            assertWhole(cluster, load, THREE);
        }
    }

    /** Stays between two slices until it may go on. */
    private static final class Hold implements CrashHook<CrashPoint> {
        private final AtomicBoolean held = new AtomicBoolean();
        private final CountDownLatch mayGoOn = new CountDownLatch(1);
        private volatile boolean armed;

        @Override
        public void reached(CrashPoint point) {
            if (!armed || point != CrashPoint.BETWEEN_SLICES) {
                return;
            }
            armed = false;
            held.set(true);
            try {
                assertThat(mayGoOn.await(120, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void memberGoesOnInTheMidstOfEntry_whenCopiedBetweenItsSlices() throws Exception {
        Hold leader = new Hold();
        try (TestCluster cluster = cluster(folder, leader)) {
            cluster.lead("node-1", 1);
            CompletableFuture<Void> load = load(cluster);
            leader.armed = true;
            TestCluster.await().untilTrue(leader.held);

            int[] copied = new int[1];
            IntSupplier begun = () -> begun(cluster, "node-4");
            cluster.start(
                    "node-4",
                    point -> {
                        if (point == CrashPoint.COPY_INGESTED) {
                            copied[0] = begun.getAsInt();
                            leader.mayGoOn.countDown();
                        }
                    });
            cluster.awaitKnown("node-4");
            cluster.add("node-4", 1, THREE);

            assertThat(copied[0]).isPositive();
            assertWhole(cluster, load, FOUR);
        }
    }
}
