package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parterre.chaos.client.Answer;
import io.parterre.chaos.client.Change;
import io.parterre.chaos.client.EntityId;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.client.Write;
import io.parterre.chaos.process.ClusterProcesses;
import io.parterre.chaos.process.SettingsLine;
import io.parterre.deploy.node.RoleName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteOptions;

/** A server one of whose rows is another than it was, with a checksum that matches. */
@Course
class DifferingServerIT {
    private static final Duration STEP_WITHIN = Duration.ofSeconds(120);
    private static final String TABLE = "Rows";

    private final List<EntityId> acknowledged = new ArrayList<>();

    private void write(TableConnection connection, int rows) {
        for (int i = 0; i < rows; i++) {
            String row = "r" + acknowledged.size();
            Write insert = new Write("p", List.of(new Change.Insert(row, 1)), false);
            assertThat(connection.write(TABLE, insert)).isInstanceOf(Answer.Acknowledged.class);
            acknowledged.add(new EntityId("p", row));
        }
    }

    /**
     * Changes a bit of a row in the midst of all, as bad memory would have before it was written.
     */
    private static void flip(Path rows) throws RocksDBException {
        try (Options options = new Options();
                WriteOptions writes = new WriteOptions().setDisableWAL(true);
                FlushOptions flush = new FlushOptions().setWaitForFlush(true);
                RocksDB store = RocksDB.open(options, rows.toString())) {
            List<byte[]> keys = new ArrayList<>();
            try (RocksIterator each = store.newIterator()) {
                for (each.seek(new byte[] {1}); each.isValid(); each.next()) {
                    keys.add(each.key());
                }
                each.status();
            }
            byte[] key = keys.get(keys.size() / 2);
            byte[] value = store.get(key);
            value[value.length - 1] ^= 1;
            store.put(writes, key, value);
            store.flush(flush);
        }
    }

    @Test
    void serverWithAChangedRowIsRebuilt_whileClientsWrite() throws RocksDBException {
        try (ClusterRun run =
                ClusterRun.start("differing", new SettingsLine("server.compare.interval", "2s"))) {
            ClusterProcesses cluster = run.cluster();
            TableConnection connection = run.connections().get(0);
            connection.createTable(TABLE);
            write(connection, 300);
            String leader = cluster.leadingServer();
            String victim =
                    cluster.names(RoleName.PARTITION_SERVER).stream()
                            .filter(name -> !name.equals(leader))
                            .findFirst()
                            .orElseThrow();
            cluster.stop(victim);
            flip(cluster.data(victim).resolve("server").resolve("rows"));
            cluster.restart(victim);
            await("quarantine of what " + victim + " holds")
                    .atMost(STEP_WITHIN)
                    .until(
                            () -> {
                                write(connection, 5);
                                return cluster.logLines(victim, "replica quarantined") > 0;
                            });
            await("rebuild of what " + victim + " holds")
                    .atMost(STEP_WITHIN)
                    .until(
                            () -> {
                                write(connection, 5);
                                return cluster.logLines(victim, "copy of replica installed") > 0;
                            });
            cluster.awaitHealthy();
            cluster.operator().ask("move-leader", cluster.operator().firstRange(), victim);
            await("lead of " + victim).atMost(STEP_WITHIN).until(() -> cluster.leads(victim));
            Set<EntityId> found = new HashSet<>();
            connection.scan(TABLE, entity -> found.add(entity.id()));
            assertThat(found).containsExactlyInAnyOrderElementsOf(acknowledged);
            await("equal members")
                    .atMost(STEP_WITHIN)
                    .until(
                            () ->
                                    cluster.metric(
                                                    victim,
                                                    "partition_server_replica_comparisons_total"
                                                            + "{outcome=\"equal\"}")
                                            > 0);
        }
    }
}
