package io.parterre.server;

import static io.parterre.server.TestCluster.RANGE;
import static io.parterre.server.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.crash.CrashPoint;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A survivor of a lost majority is killed at each step of the recovery that goes on from it. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class RangeRecoveryCrashIT {
    private static final RangeDescriptor NEXT =
            new RangeDescriptor(
                    new RangeId(2), KeyRange.ALL, new Generation(2), List.of(new NodeId("node-1")));

    @TempDir private Path folder;

    /** The point at which the survivor ends; BEFORE_APPLY: it does not. */
    @ParameterizedTest
    @EnumSource(
            value = CrashPoint.class,
            names = {"BEFORE_APPLY", "REMOVAL_MARKED", "REMOVAL_LOG_GONE", "SPLIT_FLUSHED"})
    void rangeKeepsAllSurvivorEntries_whenMajorityIsLost(CrashPoint end) throws Exception {
        AtomicBoolean deaf = new AtomicBoolean();
        try (TestCluster cluster = TestCluster.in(folder).founded()) {
            cluster.start("node-1");
            for (String other : List.of("node-2", "node-3")) {
                cluster.start(
                        other,
                        point -> {
                            if (deaf.get() && point == CrashPoint.BEFORE_LOG_APPEND) {
                                throw new IllegalStateException("the node takes no entry");
                            }
                        });
            }
            cluster.lead("node-1", 1);
            cluster.client.write(10);
            // What no majority has is kept as well: it may have been acknowledged for all one
            // knows.
            deaf.set(true);
            cluster.client.writeUnanswered("node-1");
            cluster.killAll();
            cluster.wipe("node-3");

            CountDownLatch reached = new CountDownLatch(1);
            cluster.start(
                    "node-1",
                    point -> {
                        if (point == end && end != CrashPoint.BEFORE_APPLY) {
                            reached.countDown();
                            awaitTheEnd();
                        }
                    });
            cluster.awaitReport(
                    "node-1", replica -> replica.getLastIndex() > replica.getAppliedIndex());
            cluster.manager.recover("node-1", RANGE, NEXT);
            if (end != CrashPoint.BEFORE_APPLY) {
                assertThat(reached.await(60, TimeUnit.SECONDS)).isTrue();
                cluster.kill("node-1");
                cluster.start("node-1");
            }
            cluster.client.goOnWith(NEXT.rangeId());
            cluster.client.assertAllThere();
            cluster.client.write(5);
            await().until(() -> cluster.reports.replica("node-1", RANGE).isEmpty());
            cluster.manager.withdrawOrders();
            assertThat(logOf(RANGE)).doesNotExist();

            // With its old log, and with none.
            cluster.start("node-2");
            cluster.start("node-3");
            cluster.awaitKnown("node-3");
            cluster.awaitKnown("node-2");
            cluster.client.write(5);
            cluster.manager.remove("node-2", 2);
            cluster.awaitGone("node-2");
            cluster.manager.withdrawOrders();

            cluster.manager.join("node-2", NEXT);
            await().until(() -> cluster.reports.replica("node-2", NEXT.rangeId()).isPresent());
            cluster.manager.change("node-1", NEXT, List.of("node-1", "node-2"));
            cluster.awaitReport("node-2", replica -> replica.getGeneration() == 3);
            cluster.manager.withdrawOrders();
            cluster.client.assertAllThere();
            // A start finds nothing that was left behind.
            cluster.kill("node-1");
            cluster.start("node-1");
            cluster.client.write(5);
            cluster.client.assertAllThere();
        }
    }

    /** Of the node, which interrupts what it does. */
    private static void awaitTheEnd() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the node ends here", interrupted);
        }
    }

    private Path logOf(RangeId rangeId) throws Exception {
        Path logs = folder.resolve("node-1").resolve("raft");
        assertThat(Files.isDirectory(logs)).isTrue();
        return logs.resolve(rangeId.groupId().toString());
    }
}
