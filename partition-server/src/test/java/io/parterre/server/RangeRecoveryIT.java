package io.parterre.server;

import static io.parterre.server.RangeClient.read;
import static io.parterre.server.TestCluster.RANGE;
import static io.parterre.server.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.KeyRange;
import io.parterre.proto.range.RangeRequest;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A range that has lost two of three members goes on from the third. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class RangeRecoveryIT {
    private static final List<String> THREE = List.of("node-1", "node-2", "node-3");
    private static final RangeDescriptor NEXT =
            new RangeDescriptor(
                    new RangeId(2), KeyRange.ALL, new Generation(2), List.of(new NodeId("node-1")));

    @TempDir private Path folder;

    /** They would be a majority of the group that the third has left. */
    @Test
    void lostMembersElectNoLeader_whenBothReturnAfterRecovery() throws Exception {
        try (LogLines logs = LogLines.of("io.parterre.server.raft");
                TestCluster cluster = TestCluster.in(folder).range(logs.rangeId).start()) {
            RangeId lost = logs.rangeId;
            cluster.client.write(10);
            cluster.awaitLevel(THREE);
            cluster.killAll();

            cluster.manager.givesUp(lost);
            cluster.start("node-1");
            cluster.awaitKnown("node-1");
            cluster.manager.recover("node-1", lost, NEXT);
            cluster.client.goOnWith(NEXT.rangeId());
            cluster.client.assertAllThere();
            cluster.manager.withdrawOrders();

            cluster.start("node-2");
            cluster.start("node-3");
            await().until(() -> logs.count("no vote until a manager has answered") >= 2);
            RangeRequest.Builder old =
                    read(Commands.key("p", "00000001"))
                            .setRangeId(lost.value())
                            .setGeneration(1)
                            .setFollowerRead(true);
            for (String back : List.of("node-2", "node-3")) {
                await().until(() -> cluster.node(back).client().call(old.clone()).hasNoData());
            }
            cluster.client.write(5);
            cluster.manager.remove("node-2", 2);
            cluster.manager.remove("node-3", 2);
            cluster.awaitGone("node-2");
            cluster.awaitGone("node-3");
            assertThat(cluster.reports.hasLed("node-2", lost)).isFalse();
            assertThat(cluster.reports.hasLed("node-3", lost)).isFalse();
            assertThat(cluster.reports.hasLed("node-1", NEXT.rangeId())).isTrue();
            assertThat(cluster.node("node-2").failures).isEmpty();
            cluster.client.assertAllThere();
        }
    }

    /** Its segment reads differently than it was written, which nobody has noticed before. */
    @Test
    void recoveryMovesToAnotherMember_whenSurvivorLogIsCorrupt() throws Exception {
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            cluster.client.write(10);
            cluster.awaitLevel(THREE);
            cluster.killAll();
            cluster.manager.givesUp(RANGE);
            cluster.start("node-1");
            cluster.awaitKnown("node-1");
            damageLog();

            cluster.manager.recover("node-1", RANGE, NEXT);
            cluster.awaitReport("node-1", replica -> !replica.getDamage().isEmpty());
            assertThat(cluster.reports.replica("node-1", RANGE).orElseThrow().getDamage())
                    .contains("its log cannot be replayed");
            assertThat(cluster.reports.replica("node-1", NEXT.rangeId())).isEmpty();
            cluster.manager.withdrawOrders();

            RangeDescriptor third =
                    new RangeDescriptor(
                            new RangeId(3),
                            KeyRange.ALL,
                            new Generation(3),
                            List.of(new NodeId("node-2")));
            cluster.start("node-2");
            cluster.awaitKnown("node-2");
            cluster.manager.recover("node-2", RANGE, third);
            cluster.client.goOnWith(third.rangeId());
            cluster.client.assertAllThere();
            cluster.client.write(5);
            assertThat(cluster.node("node-1").failures).isEmpty();
        }
    }

    /**
     * Nobody else has a vote in its group, so it elects itself; what it leads it does not serve.
     */
    @Test
    void soleReplicaServesNothing_untilLeadingManagerConfirmsIt() throws Exception {
        try (TestCluster cluster = TestCluster.in(folder).nodes("node-1").start()) {
            cluster.client.write(10);
            RangeRequest.Builder row =
                    read(Commands.key("p", "00000001")).setRangeId(RANGE.value()).setGeneration(1);
            cluster.kill("node-1");

            cluster.manager.deposed(true);
            cluster.reports.forget("node-1");
            cluster.start("node-1");
            cluster.awaitKnown("node-1");
            // Once more: the first answer has come by then.
            cluster.reports.forget("node-1");
            cluster.awaitKnown("node-1");
            assertThat(cluster.node("node-1").client().call(row.clone()).hasNotLeader()).isTrue();
            assertThat(cluster.report("node-1", replica -> replica.getLeading())).isFalse();
            cluster.manager.deposed(false);
            cluster.client.assertAllThere();
            cluster.client.write(5);
            cluster.kill("node-1");

            // Recovered elsewhere while it was away.
            cluster.manager.givesUp(RANGE);
            cluster.reports.forget("node-1");
            cluster.start("node-1");
            cluster.awaitKnown("node-1");
            cluster.reports.forget("node-1");
            cluster.awaitKnown("node-1");
            assertThat(cluster.node("node-1").client().call(row.clone()).hasNotLeader()).isTrue();
            cluster.manager.deposed(true);
            cluster.reports.forget("node-1");
            cluster.awaitKnown("node-1");
            assertThat(cluster.reports.hasLed("node-1", RANGE)).isFalse();
        }
    }

    private void damageLog() throws Exception {
        Path log = logOf(RANGE).resolve("current");
        List<Path> segments;
        try (var files = Files.list(log)) {
            segments =
                    files.filter(file -> file.getFileName().toString().startsWith("log_")).toList();
        }
        assertThat(segments).isNotEmpty();
        for (Path segment : segments) {
            byte[] bytes = Files.readAllBytes(segment);
            for (int i = 20; i < bytes.length; i += 50) {
                bytes[i] ^= 0x55;
            }
            Files.write(segment, bytes, java.nio.file.StandardOpenOption.WRITE);
        }
    }

    private Path logOf(RangeId rangeId) throws Exception {
        Path logs = folder.resolve("node-1").resolve("raft");
        assertThat(Files.isDirectory(logs)).isTrue();
        return logs.resolve(rangeId.groupId().toString());
    }
}
