package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parterre.chaos.client.Answer;
import io.parterre.chaos.client.Change;
import io.parterre.chaos.client.EntityId;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.client.Write;
import io.parterre.chaos.process.ClusterProcesses;
import io.parterre.deploy.node.RoleName;
import io.parterre.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A server that is started with an older copy of its own folder, as after a restored snapshot. */
@Course
class RolledBackServerIT {
    private static final Duration STEP_WITHIN = Duration.ofSeconds(90);
    private static final String TABLE = "Rows";

    private final List<EntityId> acknowledged = new ArrayList<>();

    private static Write insert(String partition, String row) {
        return new Write(partition, List.of(new Change.Insert(row, 1)), false);
    }

    private void write(TableConnection connection, int rows) {
        for (int i = 0; i < rows; i++) {
            String row = "r" + acknowledged.size();
            assertThat(connection.write(TABLE, insert("p", row)))
                    .isInstanceOf(Answer.Acknowledged.class);
            acknowledged.add(new EntityId("p", row));
        }
    }

    /** Seen before: 300 of 1,200 acknowledged rows were gone without a word. */
    @Test
    void ackedWritesSurvive_whenServerIsStartedWithAnOlderFolder() throws IOException {
        try (ClusterRun run = ClusterRun.start("rolled-back")) {
            ClusterProcesses cluster = run.cluster();
            TableConnection connection = run.connections().get(0);
            connection.createTable(TABLE);
            String leader = cluster.leadingServer();
            List<String> others =
                    cluster.names(RoleName.PARTITION_SERVER).stream()
                            .filter(name -> !name.equals(leader))
                            .toList();
            String other = others.get(0);
            String victim = others.get(1);
            write(connection, 400);
            cluster.stop(victim);
            Path data = cluster.data(victim);
            Path older = data.resolveSibling(data.getFileName() + "-older");
            DurableFiles.copyFolder(data, older);
            cluster.restart(victim);
            write(connection, 400);
            cluster.awaitHealthy();

            cluster.stop(victim);
            Files.move(data, data.resolveSibling(data.getFileName() + "-latest"));
            Files.move(older, data);
            cluster.restart(victim);
            await("quarantine of what " + victim + " holds")
                    .atMost(STEP_WITHIN)
                    .until(() -> cluster.logLines(victim, "replica quarantined") > 0);
            await("rebuild of what " + victim + " holds")
                    .atMost(STEP_WITHIN)
                    .until(() -> cluster.logLines(victim, "copy of replica installed") > 0);
            cluster.awaitHealthy();

            if (!cluster.leads(leader)) {
                cluster.operator().ask("move-leader", cluster.operator().firstRange(), leader);
                await("lead of " + leader).atMost(STEP_WITHIN).until(() -> cluster.leads(leader));
            }
            cluster.pause(other);
            write(connection, 300);
            cluster.kill(leader);
            cluster.resume(other);
            AtomicInteger attempts = new AtomicInteger();
            await("writes without " + leader)
                    .atMost(STEP_WITHIN)
                    .until(
                            () ->
                                    connection.write(
                                                    TABLE,
                                                    insert("q", "r" + attempts.incrementAndGet()))
                                            instanceof Answer.Acknowledged);
            Set<EntityId> found = new HashSet<>();
            connection.scan(TABLE, entity -> found.add(entity.id()));
            assertThat(found).containsAll(acknowledged);
            cluster.restart(leader);
            cluster.awaitHealthy();
        }
    }
}
