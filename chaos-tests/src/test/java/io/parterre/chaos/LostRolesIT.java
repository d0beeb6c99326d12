package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parterre.chaos.client.Account;
import io.parterre.chaos.client.Answer;
import io.parterre.chaos.client.Change;
import io.parterre.chaos.client.EntityId;
import io.parterre.chaos.client.Reading;
import io.parterre.chaos.client.StoredEntity;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.client.Write;
import io.parterre.chaos.process.ClusterProcesses;
import io.parterre.chaos.process.SettingsLine;
import io.parterre.chaos.workload.Registers;
import io.parterre.chaos.workload.Verification;
import io.parterre.chaos.workload.Writers;
import io.parterre.deploy.node.RoleName;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * One cluster, of which whole kinds of processes are lost for a while: all managers, most servers,
 * or one server for longer than the log reaches back. Every test leaves it healthy.
 */
@Course
class LostRolesIT {
    private static final int WRITERS = 3;
    private static final Duration STEP_WITHIN = Duration.ofSeconds(90);
    private static final Duration IMPATIENCE = Duration.ofSeconds(3);

    /** Less than is written while a server is away. */
    private static final SettingsLine SHORT_LOG =
            new SettingsLine("server.raft.preservedLogBytes", "1MiB");

    /** More than a closed segment of a log, 8 MiB, and what is kept behind it. */
    private static final int BULK_BATCHES = 200;

    private static final int BATCH = 100;

    /** Its text is the longest of all. */
    private static final long BULKY = 29;

    private static ClusterRun run;

    @BeforeAll
    static void start() {
        run = ClusterRun.start("lost-roles", SHORT_LOG);
    }

    @AfterAll
    static void end() {
        if (run != null) {
            run.close();
        }
    }

    /** Not even an election needs one, nor do new tables while a front end has ids for them. */
    @Test
    void readsWritesAndNewTablesSucceed_whileAllManagersAreDown() {
        ClusterProcesses cluster = run.cluster();
        List<String> managers = cluster.names(RoleName.PARTITION_MANAGER);
        List<TableConnection> connections = run.connections();
        Writers writers =
                new Writers("Unmanaged", WRITERS, run.random().nextLong(), ClusterRun.PACE);
        Registers registers = new Registers("UnmanagedRegisters");
        connections.get(0).createTable(writers.table());
        connections.get(1).createTable(registers.table());
        writers.start(connections);
        registers.start(connections);

        managers.forEach(cluster::kill);
        writers.awaitAcknowledged(50);
        for (int i = 0; i < 3; i++) {
            for (TableConnection connection : connections) {
                String table = "Unmanaged" + i + "x" + connections.indexOf(connection);
                connection.createTable(table);
                assertThat(connection.hasTable(table)).isTrue();
            }
        }
        String leader = cluster.leadingServer();
        cluster.kill(leader);
        writers.awaitAcknowledged(50);

        List<String> back = new ArrayList<>(managers);
        back.add(leader);
        cluster.restart(back);
        cluster.awaitHealthy();
        writers.awaitAcknowledged(50);
        writers.stop();
        registers.stop();
        connections.get(0).createTable("ManagedAgain");
        run.assertNone(
                new Verification(connections.get(0), writers).ofEverything(), "without managers");
        run.assertNone(registers.violations(), "without managers");
        run.assertNoFailedCall(writers, registers);
    }

    @Test
    void leaderRejectsReadsAndWrites_whenMajorityIsDown() {
        ClusterProcesses cluster = run.cluster();
        TableConnection connection = run.connections().get(0);
        TableConnection impatient = connection.asking(IMPATIENCE);
        connection.createTable("Minority");
        EntityId id = new EntityId("p", "acknowledged");
        assertThat(connection.write("Minority", insert("p", "acknowledged")))
                .isInstanceOf(Answer.Acknowledged.class);
        String leader = cluster.leadingServer();
        List<String> others =
                cluster.names(RoleName.PARTITION_SERVER).stream()
                        .filter(name -> !name.equals(leader))
                        .toList();

        others.forEach(cluster::kill);
        // The lease of the one that is left runs for less than a second.
        await("end of its reads")
                .atMost(STEP_WITHIN)
                .until(() -> impatient.tryRead("Minority", id) instanceof Reading.Failed);
        assertThat(impatient.write("Minority", insert("p", "doubtful")))
                .isInstanceOf(Answer.Failed.class);
        assertThat(impatient.tryRead("Minority", id)).isInstanceOf(Reading.Failed.class);
        Reading<Optional<StoredEntity>> old = secondary().tryRead("Minority", id);
        assertThat(old).isInstanceOf(Reading.Answered.class);
        assertThat(((Reading.Answered<Optional<StoredEntity>>) old).value()).isPresent();

        cluster.restart(others);
        cluster.awaitHealthy();
        assertThat(connection.read("Minority", id)).isPresent();
        // The one in doubt has happened by now, or never will.
        Answer again = connection.write("Minority", insert("p", "doubtful"));
        assertThat(again).isNotInstanceOfAny(Answer.Failed.class, Answer.Unanswered.class);
        assertThat(connection.read("Minority", new EntityId("p", "doubtful"))).isPresent();
    }

    @Test
    void serverInstallsReplicaCopy_whenItLagsBehindLogStart() throws Exception {
        ClusterProcesses cluster = run.cluster();
        TableConnection connection = run.connections().get(0);
        connection.createTable("Bulk");
        String leader = cluster.leadingServer();
        String away =
                cluster.names(RoleName.PARTITION_SERVER).stream()
                        .filter(name -> !name.equals(leader))
                        .findFirst()
                        .orElseThrow();
        long copies = cluster.logLines(away, "copy of replica installed");
        cluster.kill(away);
        writeBulk(connection);
        // Only what is on disk is dropped from a log.
        cluster.operator().ask("flush", leader);
        connection.createTable("AfterBulk");

        cluster.restart(away);
        await("copy to " + away)
                .atMost(STEP_WITHIN)
                .until(() -> cluster.logLines(away, "copy of replica installed") > copies);
        cluster.awaitHealthy();
        // Only one who has it all can lead, and from then on the answers are its own.
        cluster.operator().ask("move-leader", cluster.operator().firstRange(), away);
        await("lead of " + away).atMost(STEP_WITHIN).until(() -> cluster.leads(away));
        AtomicInteger found = new AtomicInteger();
        connection.scan("Bulk", entity -> found.addAndGet(entity.intact() ? 1 : 0));
        assertThat(found).hasValue(BULK_BATCHES * BATCH);
        assertThat(connection.hasTable("AfterBulk")).isTrue();
    }

    private static void writeBulk(TableConnection connection) {
        for (int i = 0; i < BULK_BATCHES; i++) {
            List<Change> changes = new ArrayList<>();
            for (int row = 0; row < BATCH; row++) {
                changes.add(new Change.Insert("r" + row, BULKY));
            }
            assertThat(connection.write("Bulk", new Write("p" + i, changes, true)))
                    .isInstanceOf(Answer.Acknowledged.class);
        }
    }

    private static Write insert(String partition, String row) {
        return new Write(partition, List.of(new Change.Insert(row, 1)), false);
    }

    private static TableConnection secondary() {
        URI endpoint = run.cluster().tableEndpoints().get(0);
        return new TableConnection(
                URI.create(endpoint + "-secondary"), Account.development(), STEP_WITHIN);
    }
}
