package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.parterre.crash.CrashHook;
import io.parterre.deploy.ClusterInProcess.Answer;
import io.parterre.deploy.backup.BackupException;
import io.parterre.deploy.backup.BackupOptions;
import io.parterre.deploy.backup.BackupPoint;
import io.parterre.deploy.backup.BackupRun;
import io.parterre.deploy.backup.BackupVerify;
import io.parterre.deploy.backup.ClusterAccess;
import io.parterre.deploy.backup.Repository;
import io.parterre.deploy.backup.RepositoryPlace;
import io.parterre.deploy.backup.RestoreRequest;
import io.parterre.deploy.backup.RestoreRun;
import io.parterre.proto.backup.BackupManifest;
import io.parterre.proto.backup.PieceReference;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of a cluster that is written to, and clusters of other sizes that are restored. */
final class BackupIT {
    private static final BackupOptions OPTIONS = new BackupOptions(2, 0, Duration.ofMinutes(1));
    private static final String TEXT = "x".repeat(2_000);

    @TempDir Path folder;

    /** What a test throws where a process would be killed. */
    private static final class Killed extends Error {}

    private Repository open() throws IOException {
        return Repository.open(
                RepositoryPlace.open(folder.resolve("backups").toString()), Optional.empty(), true);
    }

    private BackupRun run(
            ClusterInProcess cluster,
            ClusterAccess access,
            Repository repository,
            CrashHook<BackupPoint> hook) {
        return new BackupRun(
                access,
                repository,
                cluster.rows(),
                OPTIONS,
                InstantSource.system(),
                hook,
                line -> {});
    }

    private BackupManifest create(ClusterInProcess cluster, String id, CrashHook<BackupPoint> hook)
            throws IOException {
        return create(cluster, id, hook, false);
    }

    private BackupManifest create(
            ClusterInProcess cluster, String id, CrashHook<BackupPoint> hook, boolean full)
            throws IOException {
        try (Repository repository = open();
                ClusterAccess access = cluster.access()) {
            return run(cluster, access, repository, hook).create(id, full);
        }
    }

    private BackupManifest verify(String id) throws IOException {
        try (Repository repository = open()) {
            return new BackupVerify(repository, 2, line -> {}).verify(id);
        }
    }

    private static void insert(TableCalls tables, Map<String, String> ledger, int from, int to)
            throws Exception {
        for (int i = from; i < to; i++) {
            String partition = String.format("p%03d", i % 50);
            String row = String.format("r%05d", i);
            if (tables.insert("orders", partition, row, i + TEXT) == 201) {
                ledger.put(partition + "/" + row, i + TEXT);
            }
        }
    }

    private static void assertAnswered(TableCalls tables, String table, Map<String, String> ledger)
            throws Exception {
        for (Map.Entry<String, String> each : ledger.entrySet()) {
            String[] keys = each.getKey().split("/");
            HttpResponse<String> read = tables.read(table, keys[0], keys[1]);
            assertThat(read.statusCode()).as(each.getKey()).isEqualTo(200);
            assertThat(read.body()).contains("\"" + each.getValue() + "\"");
        }
    }

    private static String etag(TableCalls tables, String table) throws Exception {
        return tables.read(table, "p001", "r00001").headers().firstValue("ETag").orElseThrow();
    }

    /** Once, when the backup comes by this point first. */
    private static CrashHook<BackupPoint> once(BackupPoint at, Runnable action) {
        AtomicBoolean done = new AtomicBoolean();
        return point -> {
            if (point == at && done.compareAndSet(false, true)) {
                action.run();
            }
        };
    }

    @Test
    void restoreAnswersAllAcked_whenRangesSplitAndMergeMeanwhile() throws Exception {
        Map<String, String> first = new HashMap<>();
        Map<String, String> second = new HashMap<>();
        String tag;
        try (ClusterInProcess cluster = ClusterInProcess.start(folder.resolve("a"), 3, 3)) {
            TableCalls tables = cluster.tables();
            assertThat(tables.createTable("orders")).isEqualTo(201);
            insert(tables, first, 0, 600);
            tag = etag(tables, "orders");
            Map<String, String> later = new ConcurrentHashMap<>();
            AtomicBoolean stop = new AtomicBoolean();
            Thread writer =
                    new Thread(
                            () -> {
                                try {
                                    for (int i = 10_000; !stop.get(); i++) {
                                        insert(tables, later, i, i + 1);
                                    }
                                } catch (Exception ended) {
                                    stop.set(true);
                                }
                            });
            writer.start();
            BackupManifest one =
                    create(cluster, "one", once(BackupPoint.PLANNED, () -> cluster.split(3)));
            assertThat(one.getPiecesCount()).isGreaterThan(1);
            second.putAll(first);
            second.putAll(later);
            BackupManifest two =
                    create(cluster, "two", once(BackupPoint.PLANNED, () -> cluster.merge(0)));
            stop.set(true);
            writer.join();
            assertThat(two.getBase()).isEqualTo("one");
            assertThat(verify("one").getTablesList()).hasSize(1);
            assertThat(verify("two").getTablesList()).hasSize(1);
        }
        try (ClusterInProcess other = ClusterInProcess.start(folder.resolve("b"), 1, 1)) {
            Path repository = folder.resolve("backups");
            Answer refused = other.run(false, "backup", "restore", "--repository", repository + "");
            assertThat(refused.code()).isEqualTo(ExitCode.REFUSED.code());
            assertThat(refused.err()).contains("token");

            Answer all =
                    other.run(
                            true,
                            "backup",
                            "restore",
                            "two",
                            "--repository",
                            repository + "",
                            "--state",
                            folder.resolve("state") + "");
            assertThat(all.code()).as(all.toString()).isZero();
            assertAnswered(other.tables(), "orders", second);
            assertThat(etag(other.tables(), "orders")).isEqualTo(tag);
            assertThat(other.tables().insert("orders", "new", "new", "new")).isEqualTo(201);

            Answer again =
                    other.run(true, "backup", "restore", "one", "--repository", repository + "");
            assertThat(again.code()).isEqualTo(ExitCode.REFUSED.code());
            assertThat(again.err()).contains("the cluster has these tables: orders");
            Answer renamed =
                    other.run(
                            true,
                            "backup",
                            "restore",
                            "one",
                            "--repository",
                            repository + "",
                            "--table",
                            "orders",
                            "--as",
                            "orders2",
                            "--state",
                            folder.resolve("state") + "");
            assertThat(renamed.code()).as(renamed.toString()).isZero();
            assertAnswered(other.tables(), "orders2", first);
        }
    }

    @Test
    void backupIsWholeOrRefused_whenKilledAtAnyPoint() throws Exception {
        Map<String, String> ledger = new HashMap<>();
        try (ClusterInProcess cluster = ClusterInProcess.start(folder.resolve("a"), 1, 1)) {
            assertThat(cluster.tables().createTable("orders")).isEqualTo(201);
            insert(cluster.tables(), ledger, 0, 100);
            for (BackupPoint point : BackupPoint.values()) {
                String id = "killed-at-" + point.name().toLowerCase(Locale.ROOT);
                CrashHook<BackupPoint> kill =
                        once(
                                point,
                                () -> {
                                    throw new Killed();
                                });
                assertThatExceptionOfType(Killed.class)
                        .as(id)
                        .isThrownBy(() -> create(cluster, id, kill, true));
                if (point == BackupPoint.MANIFEST_PUT) {
                    verify(id);
                } else {
                    assertThatExceptionOfType(BackupException.class)
                            .isThrownBy(() -> verify(id))
                            .withMessageContaining("not whole");
                }
                try (Repository repository = open();
                        ClusterAccess access = cluster.access()) {
                    run(cluster, access, repository, CrashHook.none()).resume(id);
                }
                assertThat(verify(id).getPiecesList())
                        .extracting(PieceReference::getRows)
                        .anyMatch(rows -> rows >= 100);
            }
            restoreKilledHalfWay(cluster, ledger);
        }
    }

    private void restoreKilledHalfWay(ClusterInProcess cluster, Map<String, String> ledger)
            throws Exception {
        RestoreRequest renamed =
                new RestoreRequest(
                        Optional.empty(),
                        Optional.of("orders"),
                        Optional.of("restored"),
                        Optional.empty());
        Path state = folder.resolve("state");
        AtomicInteger notes = new AtomicInteger();
        try (Repository repository = open();
                ClusterAccess access = cluster.access()) {
            assertThatExceptionOfType(Killed.class)
                    .isThrownBy(
                            () ->
                                    new RestoreRun(
                                                    access,
                                                    repository,
                                                    cluster.rows(),
                                                    OPTIONS,
                                                    state,
                                                    line -> {
                                                        notes.incrementAndGet();
                                                        throw new Killed();
                                                    })
                                            .restore("killed-at-planned", renamed));
            assertThat(notes.get()).isPositive();
            assertThat(cluster.tables().read("restored", "p001", "r00001").statusCode())
                    .isEqualTo(404);
            new RestoreRun(access, repository, cluster.rows(), OPTIONS, state, line -> {})
                    .restore("killed-at-planned", renamed);
        }
        assertThat(Files.exists(state)).isFalse();
        assertAnswered(cluster.tables(), "restored", ledger);
    }

    @Test
    void verifyFindsFlippedByte_inEachObjectOfBackup() throws Exception {
        try (ClusterInProcess cluster = ClusterInProcess.start(folder.resolve("a"), 1, 1)) {
            assertThat(cluster.tables().createTable("orders")).isEqualTo(201);
            insert(cluster.tables(), new HashMap<>(), 0, 20);
            BackupManifest one = create(cluster, "one", CrashHook.none());
            BackupManifest two = create(cluster, "two", CrashHook.none());
            assertThat(two.getPiecesList())
                    .as("nothing has changed, so nothing was read")
                    .isEqualTo(one.getPiecesList());
        }
        List<Path> objects;
        try (Stream<Path> files = Files.walk(folder.resolve("backups"))) {
            objects =
                    files.filter(Files::isRegularFile)
                            .filter(file -> !file.toString().contains("two"))
                            .filter(file -> !file.endsWith("parterre-repository"))
                            .toList();
        }
        assertThat(objects).hasSizeGreaterThanOrEqualTo(3);
        for (Path object : objects) {
            byte[] bytes = Files.readAllBytes(object);
            byte[] flipped = bytes.clone();
            flipped[bytes.length / 2] ^= 1;
            Files.write(object, flipped);
            assertThatExceptionOfType(BackupException.class)
                    .as("%s", object)
                    .isThrownBy(() -> verify("one"));
            Files.delete(object);
            assertThatExceptionOfType(BackupException.class).isThrownBy(() -> verify("one"));
            Files.write(object, bytes);
        }
        verify("one");
        Answer list =
                ClusterInProcess.command(
                        "backup", "list", "--repository", folder.resolve("backups") + "");
        assertThat(list.out()).contains("backup one: whole").contains("backup two: whole");
    }
}
