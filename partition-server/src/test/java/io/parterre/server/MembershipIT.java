package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parterre.key.KeyRange;
import io.parterre.proto.manager.ReplicaState;
import io.parterre.server.change.MemberWaits;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreCursor;
import io.parterre.server.store.TestStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Members that come, go and come again, and leads that are handed over. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
final class MembershipIT {
    private static final List<String> THREE = List.of("node-1", "node-2", "node-3");
    private static final List<String> FOUR = List.of("node-1", "node-2", "node-3", "node-4");

    private static final String[] CHANGE_ORDERED = {
        "operation", "change_members", "outcome", "done"
    };
    private static final String[] CHANGE_DONE = {"operation", "members", "outcome", "done"};

    @TempDir Path folder;

    private final LogLines logs = LogLines.of("io.parterre.server");

    private TestCluster ofLoggedRange(MemberWaits waits) throws Exception {
        return TestCluster.in(folder).range(logs.rangeId).memberWaits(waits).start();
    }

    @AfterEach
    void stopListening() {
        logs.close();
    }

    @Test
    void joinedNodeHoldsAllDataAndRemovedMemberHoldsNone() throws Exception {
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            cluster.purgeLog();
            cluster.start("node-4");
            cluster.awaitKnown("node-4");
            cluster.manager.join("node-4", 1, THREE);
            cluster.awaitJoining("node-4");
            cluster.manager.withdrawOrders();
            // It waits for its leader, also over a restart.
            cluster.kill("node-4");
            cluster.start("node-4");
            cluster.awaitJoining("node-4");

            cluster.change(1, FOUR);
            cluster.client.write(5);
            cluster.assertAllThereAt("node-4", 2);
            assertCounted(cluster);

            cluster.change(2, List.of("node-2", "node-3", "node-4"));
            cluster.manager.remove("node-1", 3);
            cluster.awaitGone("node-1");
            cluster.client.write(5);
            cluster.client.assertAllThere();
            assertThat(cluster.node("node-1").failures).isEmpty();
            cluster.close("node-1");
            assertEmpty(folder.resolve("node-1"));
        }
    }

    /** Of an addition by copy: who took it in, who sent it, who was ordered and who changed. */
    private static void assertCounted(TestCluster cluster) {
        SimpleMeterRegistry joined = cluster.node("node-4").meters;
        assertThat(
                        count(
                                joined,
                                "partition_server_copies_total",
                                "direction",
                                "taken",
                                "outcome",
                                "done"))
                .isPositive();
        assertThat(count(joined, "partition_server_copied_bytes_total", "direction", "taken"))
                .isGreaterThan(50 * 400_000);
        double sent = 0;
        double ordered = 0;
        double changed = 0;
        for (String node : THREE) {
            SimpleMeterRegistry meters = cluster.node(node).meters;
            sent += count(meters, "partition_server_copied_bytes_total", "direction", "sent");
            ordered += count(meters, "partition_server_orders_total", CHANGE_ORDERED);
            changed += count(meters, "partition_server_member_changes_total", CHANGE_DONE);
        }
        assertThat(sent).isGreaterThan(50 * 400_000);
        assertThat(ordered).isPositive();
        assertThat(changed).isPositive();
    }

    private static double count(SimpleMeterRegistry meters, String name, String... tags) {
        return meters.get(name).tags(tags).counter().count();
    }

    private static void assertEmpty(Path node) throws Exception {
        try (var logs = Files.list(node.resolve("raft"))) {
            assertThat(logs).isEmpty();
        }
        try (TestStore storage = new TestStore();
                ServerStore store = storage.open(node.resolve("rows"));
                StoreCursor rows = store.scan(KeyRange.ALL)) {
            assertThat(rows.valid()).isFalse();
        }
    }

    @Test
    void writesSucceed_whileLeadershipIsTransferred() throws Exception {
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            cluster.client.write();
            AtomicBoolean done = new AtomicBoolean();
            Thread writer =
                    new Thread(
                            () -> {
                                while (!done.get()) {
                                    cluster.client.write();
                                }
                            });
            writer.start();
            for (String node : THREE) {
                cluster.lead(node, 1);
            }
            done.set(true);
            writer.join();
            cluster.client.assertAllThere();
        }
    }

    @Test
    void memberLeavesWithoutFailureAndRejoins_afterRemovalWhileDown() throws Exception {
        try (TestCluster cluster = ofLoggedRange(MemberWaits.DEFAULT)) {
            cluster.lead("node-1", 1);
            cluster.kill("node-3");
            cluster.client.write(20);
            cluster.change(1, List.of("node-1", "node-2"));

            // It still takes itself for a member, stands for election, and is told off.
            cluster.start("node-3");
            RunningServer back = cluster.node("node-3");
            TestCluster.await().until(() -> logs.contains("replica removed from its group"));
            cluster.client.write(5);
            cluster.manager.remove("node-3", 2);
            cluster.awaitGone("node-3");
            assertThat(back.failures).isEmpty();
            cluster.manager.withdrawOrders();

            cluster.add("node-3", 2, List.of("node-1", "node-2"));
            cluster.assertAllThereAt("node-3", 3);
        }
    }

    /** The copy takes longer than the leader waits; Ratis goes on, and the manager has not. */
    @Test
    void lateJoinerIsRemovedFromRaftGroup_whenItsMoveWasAborted() throws Exception {
        MemberWaits waits = new MemberWaits(Duration.ofMillis(300), Duration.ofMillis(500));
        try (TestCluster cluster = ofLoggedRange(waits)) {
            cluster.purgeLog();
            CountDownLatch copied = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            cluster.start(
                    "node-4",
                    point -> {
                        if (point == CrashPoint.COPY_STAGED) {
                            copied.countDown();
                            awaitQuietly(goOn);
                        }
                    });
            cluster.awaitKnown("node-4");
            cluster.manager.join("node-4", 1, THREE);
            cluster.awaitJoining("node-4");
            cluster.manager.change(1, FOUR);
            assertThat(copied.await(60, TimeUnit.SECONDS)).isTrue();
            TestCluster.await().until(() -> logs.contains(" not done rangeId="));

            cluster.change(1, THREE);
            goOn.countDown();
            TestCluster.await().until(() -> logs.contains("raft group differs from its range"));
            TestCluster.await()
                    .until(
                            () ->
                                    cluster.report(
                                            cluster.awaitLeader(),
                                            leader -> leader.getFollowersCount() == 2));

            // Of four members two could not decide.
            cluster.kill("node-4");
            cluster.kill(
                    THREE.stream()
                            .filter(node -> !node.equals(cluster.awaitLeader()))
                            .findFirst()
                            .orElseThrow());
            cluster.client.write(5);
            cluster.client.assertAllThere();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void nodeRejoinsWithAllData_afterItsDiskIsWiped() throws Exception {
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            cluster.client.write(20);
            cluster.lead("node-1", 1);
            String before = cluster.reports.incarnation("node-3");
            cluster.kill("node-3");
            cluster.wipe("node-3");
            cluster.client.write(20);

            cluster.start("node-3");
            cluster.awaitKnown("node-3");
            assertThat(cluster.reports.incarnation("node-3")).isNotEqualTo(before);
            assertThat(cluster.reports.replica("node-3")).isEmpty();
            cluster.change(1, List.of("node-1", "node-2"));
            cluster.add("node-3", 2, List.of("node-1", "node-2"));

            cluster.assertAllThereAt("node-3", 3);
        }
    }

    @Test
    void ackedWritesSurviveFullRestart_whenRangeGrewToThreeReplicas() throws Exception {
        try (TestCluster cluster = TestCluster.in(folder).nodes("node-1").start()) {
            cluster.client.write(10);
            cluster.start("node-2");
            cluster.start("node-3");
            cluster.awaitKnown("node-2");
            cluster.awaitKnown("node-3");
            cluster.add("node-2", 1, List.of("node-1"));
            cluster.add("node-3", 2, List.of("node-1", "node-2"));
            cluster.client.write(10);

            cluster.killAll();
            for (String node : THREE) {
                cluster.start(node);
            }
            cluster.client.write(10);
            cluster.client.assertAllThere();
            for (String node : THREE) {
                cluster.awaitReport(
                        node,
                        replica ->
                                replica.getGeneration() == 3
                                        && replica.getMembersCount() == 3
                                        && replica.getState() != ReplicaState.JOINING);
            }
            cluster.kill(cluster.awaitLeader());
            cluster.client.write(10);
            cluster.client.assertAllThere();
        }
    }
}
