package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.manager.FollowerReport;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.proto.manager.ReplicaState;
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

/** A member that is started with an older copy of its own folder. */
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
final class RolledBackMemberIT {
    private static final List<String> THREE = List.of("node-1", "node-2", "node-3");

    /** So long that no busy machine has another leader elected. */
    private static final Duration CALM = Duration.ofMillis(1_500);

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

    /** The third member has acknowledged 40 writes that its folder does not have. */
    private TestCluster rolledBack() throws Exception {
        TestCluster cluster = TestCluster.founded(folder, THREE, CALM);
        for (String node : THREE) {
            cluster.start(node);
        }
        cluster.write(40);
        cluster.lead("node-1", 1);
        cluster.close("node-3");
        Path older = folder.resolve("older");
        copy(cluster.folder("node-3"), older);
        cluster.start("node-3");
        cluster.write(40);
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
            assertThat(cluster.manager.replica("node-3").orElseThrow().getDamage())
                    .contains("acknowledged");

            // What it holds neither votes nor counts, nor after another start.
            cluster.kill("node-3");
            cluster.start("node-3");
            cluster.awaitReport("node-3", replica -> replica.getState() == ReplicaState.DAMAGED);
            cluster.write(5);
            assertThat(cluster.acknowledged()).isEqualTo(85);
            cluster.writeUntilUnanswered("node-1", () -> cluster.kill("node-2"));
            cluster.start("node-2");
            cluster.write(5);
            cluster.assertAllThere();

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
