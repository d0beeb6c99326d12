package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.parterre.proto.manager.FollowerReport;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.proto.manager.ReplicaState;
import io.parterre.server.raft.VoteQuarantine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.LoggerFactory;

/** A member that is started with an older copy of its own folder. */
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
final class RolledBackMemberIT {
    private static final List<String> THREE = List.of("node-1", "node-2", "node-3");

    /** So long that no busy machine has another leader elected. */
    private static final Duration CALM = Duration.ofMillis(1_500);

    private static final Duration LONG = Duration.ofMinutes(10);

    /** A vote or pre-vote that a majority has granted. */
    private static final String PASSED = "result PASSED";

    /** Lines of some ten elections. */
    private static final int STANDS = 40;

    @TempDir Path folder;

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.toList()) {
                Path target = to.resolve(from.relativize(each).toString());
                if (Files.isDirectory(each)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(each, target);
                }
            }
        }
    }

    /** What Ratis says of its elections, which tests do not log otherwise. */
    private static LogLines elections() {
        String name = "org.apache.ratis.server.impl.LeaderElection";
        ((Logger) LoggerFactory.getLogger(name)).setLevel(Level.INFO);
        return LogLines.of(name);
    }

    /** The second member, which never had 40 writes, and the third, which lost them, are two. */
    @Test
    void memberThatLostAckedEntriesIsNotElected_whenAllStart() throws Exception {
        try (LogLines elections = elections();
                TestCluster cluster =
                        TestCluster.in(folder)
                                .range(elections.rangeId)
                                .settings(
                                        config ->
                                                config.withRaft(
                                                        new TestRaft(config.raft())
                                                                .withManagersAwaited(LONG)
                                                                .build()))
                                .start()) {
            cluster.client.write(40);
            cluster.lead("node-1", 1);
            cluster.awaitLevel(THREE);
            cluster.close("node-3");
            Path older = folder.resolve("older");
            copy(cluster.folder("node-3"), older);
            cluster.start("node-3");
            cluster.awaitKnown("node-3");
            cluster.awaitLevel(THREE);
            cluster.close("node-2");
            cluster.client.write(40);
            cluster.killAll();
            long passed = elections.count(PASSED);
            cluster.wipe("node-3");
            copy(older, cluster.folder("node-3"));

            // Members call each other before a manager answers, and still there is no leader.
            cluster.manager.deposed(true);
            try (LogLines votes = LogLines.of(VoteQuarantine.class.getName(), elections.rangeId)) {
                for (String node : THREE) {
                    cluster.start(node);
                }
                TestCluster.await()
                        .until(
                                () ->
                                        votes.count("all members are here, a manager is awaited")
                                                == 3);
            }

            // The third asks the second, whose log is no longer.
            cluster.kill("node-1");
            cluster.manager.regressed("node-3", elections.rangeId);
            cluster.manager.deposed(false);
            long stood = elections.count("node-3@");
            TestCluster.await().until(() -> elections.count("node-3@") > stood + STANDS);
            assertThat(elections.count(PASSED)).isEqualTo(passed);

            cluster.start("node-1");
            cluster.client.write(1);
            cluster.client.assertAllThere();
            assertThat(cluster.leads("node-3", elections.rangeId)).isFalse();
        }
    }

    /** The third member has acknowledged 40 writes that its folder does not have. */
    private TestCluster rolledBack() throws Exception {
        TestCluster cluster = TestCluster.in(folder).electionTimeoutMin(CALM).founded();
        for (String node : THREE) {
            cluster.start(node);
        }
        cluster.client.write(40);
        cluster.lead("node-1", 1);
        cluster.close("node-3");
        Path older = folder.resolve("older");
        copy(cluster.folder("node-3"), older);
        cluster.start("node-3");
        cluster.client.write(40);
        cluster.awaitKnown("node-3");
        cluster.awaitLevel(THREE);
        cluster.close("node-3");
        cluster.wipe("node-3");
        copy(older, cluster.folder("node-3"));
        cluster.start("node-3");
        cluster.awaitKnown("node-3");
        return cluster;
    }

    private static FollowerReport third(ReplicaReport leader) {
        return leader.getFollowersList().stream()
                .filter(each -> each.getNodeId().equals("node-3"))
                .findFirst()
                .orElse(FollowerReport.getDefaultInstance());
    }

    @Test
    void memberCatchesUpAndIsReported_whenItLacksAckedEntries() throws Exception {
        try (TestCluster cluster = rolledBack()) {
            cluster.awaitReport("node-1", leader -> third(leader).getRegressedFrom() > 80);
            // By itself: Ratis would ask for ever for entries behind those that the member lacks.
            cluster.awaitLevel(THREE);
            cluster.assertSameRows(THREE);

            cluster.manager.quarantine("node-3", 1, 80);
            cluster.awaitReport("node-3", replica -> replica.getState() == ReplicaState.DAMAGED);
            cluster.manager.withdrawOrders();
            assertThat(cluster.reports.replica("node-3").orElseThrow().getDamage())
                    .contains("acknowledged");

            // What it holds neither votes nor counts, nor after another start.
            cluster.kill("node-3");
            cluster.start("node-3");
            cluster.awaitReport("node-3", replica -> replica.getState() == ReplicaState.DAMAGED);
            cluster.client.write(5);
            assertThat(cluster.client.acknowledged()).isEqualTo(85);
            cluster.client.writeUntilUnanswered("node-1", () -> cluster.kill("node-2"));
            cluster.start("node-2");
            cluster.client.write(5);
            cluster.client.assertAllThere();

            cluster.change(1, List.of("node-1", "node-2"));
            cluster.manager.remove("node-3", 2);
            cluster.awaitGone("node-3");
            cluster.manager.withdrawOrders();
            cluster.add("node-3", 2, List.of("node-1", "node-2"));
            cluster.awaitReport("node-1", report -> third(report).getRegressedFrom() == 0);
            cluster.assertSameRows(THREE);
            cluster.assertAllThereAt("node-3", 3);
        }
    }
}
