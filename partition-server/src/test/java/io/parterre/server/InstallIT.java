package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.crash.CrashHook;
import io.parterre.server.crash.CrashPoint;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Replicas that get a copy because their leader's log no longer reaches back to them. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
final class InstallIT {
    private static final List<String> THREE = List.of("node-1", "node-2", "node-3");
    private static final List<String> FOUR = List.of("node-1", "node-2", "node-3", "node-4");

    @TempDir Path folder;

    /** Ends what it is called by, once, at a step. */
    private static final class CrashAt implements CrashHook<CrashPoint> {
        private final CrashPoint step;
        private final AtomicBoolean crashed = new AtomicBoolean();

        CrashAt(CrashPoint step) {
            this.step = step;
        }

        @Override
        public void reached(CrashPoint reached) {
            if (reached == step) {
                crashed.set(true);
                throw new IllegalStateException("crash at " + step);
            }
        }
    }

    @Test
    void followerCatchesUpByCopy_whenLeaderPurgedItsLog() throws Exception {
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            cluster.client.write(20);
            cluster.lead("node-1", 1);
            cluster.kill("node-3");
            cluster.purgeLog();

            cluster.start("node-3");
            cluster.awaitLevel(THREE);
            cluster.client.write(5);
            cluster.assertAllThereAt("node-3", 1);
            // And goes on as any other.
            cluster.kill("node-1");
            cluster.client.write(5);
            cluster.client.assertAllThere();
            assertThat(cluster.node("node-3").failures).isEmpty();
        }
    }

    @Test
    void followerCatchesUp_afterCrashDuringCopyInstall() throws Exception {
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            cluster.client.write(20);
            // InstallationIT has all of them, without Raft.
            for (CrashPoint step : List.of(CrashPoint.COPY_MARKED, CrashPoint.COPY_INGESTED)) {
                cluster.lead("node-1", 1);
                cluster.kill("node-3");
                cluster.purgeLog();

                crash(cluster, "node-3", step);

                cluster.awaitLevel(THREE);
                cluster.client.write(5);
                cluster.assertAllThereAt("node-3", 1);
            }
        }
    }

    private static void crash(TestCluster cluster, String node, CrashPoint step) throws Exception {
        CrashAt crash = new CrashAt(step);
        cluster.start(node, crash);
        TestCluster.await().untilTrue(crash.crashed);
        RunningServer crashed = cluster.node(node);
        TestCluster.await().until(() -> !crashed.failures.isEmpty());
        cluster.kill(node);
        cluster.start(node);
    }

    @Test
    void newMemberJoins_afterCrashDuringCopyInstall() throws Exception {
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            cluster.client.write(20);
            CrashAt crash = new CrashAt(CrashPoint.COPY_EMPTIED);
            cluster.start("node-4", crash);
            cluster.awaitKnown("node-4");
            cluster.manager.join("node-4", 1, THREE);
            cluster.awaitJoining("node-4");
            cluster.manager.withdrawOrders();
            cluster.manager.change(1, FOUR);
            TestCluster.await().untilTrue(crash.crashed);
            cluster.manager.withdrawOrders();
            cluster.kill("node-4");
            cluster.client.write(5);

            cluster.start("node-4");
            cluster.awaitKnown("node-4");
            cluster.change(1, FOUR);
            cluster.assertAllThereAt("node-4", 2);
        }
    }

    /** Stays at the first step of an install until it may go on. */
    private static final class HoldAt implements CrashHook<CrashPoint> {
        private final AtomicBoolean held = new AtomicBoolean();
        private final CountDownLatch mayGoOn = new CountDownLatch(1);

        @Override
        public void reached(CrashPoint reached) {
            if (reached != CrashPoint.COPY_STAGED) {
                return;
            }
            held.set(true);
            try {
                assertThat(mayGoOn.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void nodeKeepsHeartbeating_whileReplicaRemovalAwaitsCopyInstall() throws Exception {
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            cluster.client.write(20);
            HoldAt hold = new HoldAt();
            cluster.start("node-4", hold);
            cluster.awaitKnown("node-4");
            cluster.manager.join("node-4", 1, THREE);
            cluster.awaitJoining("node-4");
            cluster.manager.withdrawOrders();
            cluster.manager.change(1, FOUR);
            TestCluster.await().untilTrue(hold.held);
            cluster.manager.withdrawOrders();
            cluster.manager.remove("node-4", 2);

            for (int i = 0; i < 5; i++) {
                cluster.reports.forget("node-4");
                cluster.awaitKnown("node-4");
            }
            assertThat(cluster.reports.replica("node-4")).isPresent();

            hold.mayGoOn.countDown();
            cluster.awaitGone("node-4");
            assertThat(cluster.node("node-4").failures).isEmpty();
        }
    }
}
