package io.parterre.deploy.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.parterre.crash.CrashHook;
import io.parterre.directory.TableRecord;
import io.parterre.directory.TableRecordCodec;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeySpace;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A restore that is ended and gone on with. */
final class RestoreRunTest {
    private static final BackupOptions OPTIONS = new BackupOptions(1, 0, Duration.ofSeconds(20));
    private static final AccountId ACCOUNT = new AccountId(ClusterOfOneRange.ACCOUNT);

    @TempDir Path folder;

    private ClusterOfOneRange cluster;
    private ClusterAccess access;
    private Repository repository;

    /** What a test throws where a process would be killed. */
    private static final class Killed extends Error {}

    @BeforeEach
    void backUp() throws IOException {
        cluster = new ClusterOfOneRange();
        access = cluster.access();
        repository = Repository.open(new FolderStore(folder.resolve("r")), Optional.empty(), true);
        table("one", 11);
        table("two", 12);
        cluster.splitAt = scope(12);
        new BackupRun(
                        access,
                        repository,
                        cluster.rowAccess(),
                        OPTIONS,
                        InstantSource.system(),
                        CrashHook.none(),
                        line -> {})
                .create("backup", false);
        cluster.rows.clear();
    }

    @AfterEach
    void close() {
        access.close();
        repository.close();
        cluster.close();
    }

    private static Key name(String table) {
        return KeyCodec.tableDirectoryRow(ACCOUNT, table);
    }

    private static Key scope(long tableId) {
        return KeyCodec.scope(new Scope(KeySpace.ENTITY, ACCOUNT, new ObjectId(tableId)));
    }

    private void table(String name, long id) {
        cluster.rows.put(
                name(name),
                TableRecordCodec.encode(
                        new TableRecord(name, new ObjectId(id), TableRecord.State.LIVE)));
        for (int i = 0; i < 10; i++) {
            cluster.rows.put(scope(id).append(("row" + i).getBytes(UTF_8)), new byte[] {(byte) i});
        }
    }

    private RestoreRun run(Consumer<String> told) {
        return new RestoreRun(
                access, repository, cluster.rowAccess(), OPTIONS, folder.resolve("state"), told);
    }

    private void killedWhen(String line) {
        assertThatExceptionOfType(Killed.class)
                .isThrownBy(
                        () ->
                                run(told -> {
                                            if (told.contains(line)) {
                                                throw new Killed();
                                            }
                                        })
                                        .restore("backup", RestoreRequest.ALL));
    }

    private long entities() {
        return cluster.rows.tailMap(scope(1)).size();
    }

    @Test
    void deletedRowsStayDeleted_whenRestoreIsResumedAfterNames() throws IOException {
        killedWhen("table one restored");
        assertThat(cluster.rows).containsKey(name("one")).doesNotContainKey(name("two"));
        assertThat(entities()).isEqualTo(20);
        // Clients of the first table, which has its name.
        cluster.rows.remove(cluster.rows.tailMap(scope(1)).firstKey());
        run(told -> {}).restore("backup", RestoreRequest.ALL);
        assertThat(cluster.rows).containsKeys(name("one"), name("two"));
        assertThat(entities()).isEqualTo(19);
        assertThat(Files.exists(folder.resolve("state"))).isFalse();
    }

    @Test
    void allPiecesAreNoted_beforeFirstName() throws IOException {
        List<Integer> noted = new ArrayList<>();
        RestoreFile file = new RestoreFile(folder.resolve("state"));
        cluster.onPut =
                key -> {
                    if (key.equals(name("one"))) {
                        try {
                            noted.add(file.read().orElseThrow().getPiecesDoneCount());
                        } catch (IOException failure) {
                            throw new IllegalStateException(failure);
                        }
                    }
                };
        run(told -> {}).restore("backup", RestoreRequest.ALL);
        assertThat(noted).containsExactly(2);
    }

    @Test
    void deletedTableStaysDeleted_whenRestoreIsResumedAfterNames() throws IOException {
        killedWhen("table one restored");
        cluster.rows.remove(name("one"));
        run(told -> {}).restore("backup", RestoreRequest.ALL);
        assertThat(cluster.rows).containsKey(name("two")).doesNotContainKey(name("one"));
    }

    @Test
    void resumedRestoreIsRefused_whenOptionsAreOthers() throws IOException {
        assertThat(run(told -> {}).begunBackupId()).isEmpty();
        killedWhen("table one restored");
        RestoreRequest other = renamed("other");
        assertThatExceptionOfType(BackupException.class)
                .isThrownBy(() -> run(told -> {}).restore("backup", other))
                .withMessageContaining("with no options");
        assertThat(run(told -> {}).begunBackupId()).contains("backup");
        assertThat(RestoreRequest.options(other.toProto())).isEqualTo("--table one --as other");
        run(told -> {}).restore("backup", RestoreRequest.ALL);
        assertThat(cluster.rows).containsKey(name("two")).doesNotContainKey(name("other"));
    }

    private static RestoreRequest renamed(String name) {
        return new RestoreRequest(
                Optional.empty(), Optional.of("one"), Optional.of(name), Optional.empty());
    }

    @Test
    void restoreIsRefused_whenNoTableCanHaveItsNewName() throws IOException {
        for (String wrong : List.of("1st", "a-b", "ab", "Tables", "x".repeat(64), "")) {
            assertThatExceptionOfType(BackupException.class)
                    .as(wrong)
                    .isThrownBy(() -> run(told -> {}).restore("backup", renamed(wrong)))
                    .withMessageContaining("--as: '" + wrong + "'");
        }
        assertThat(cluster.rows).isEmpty();
        assertThat(Files.exists(folder.resolve("state"))).isFalse();
        run(told -> {}).restore("backup", renamed("one1"));
        assertThat(cluster.rows).containsKey(name("one1"));
    }

    @Test
    void changedTableIsLeft_whenKilledBeforeItsNameIsNoted() throws IOException {
        cluster.onPut =
                key -> {
                    if (key.equals(name("two"))) {
                        throw new IllegalStateException("ended here");
                    }
                };
        assertThatExceptionOfType(BackupException.class)
                .isThrownBy(() -> run(told -> {}).restore("backup", RestoreRequest.ALL));
        cluster.onPut = key -> {};
        RestoreFile file = new RestoreFile(folder.resolve("state"));
        file.write(file.read().orElseThrow().toBuilder().clearNamedTableIds().build());
        TableRecord made = TableRecordCodec.decode(cluster.rows.get(name("one")));
        byte[] changed =
                TableRecordCodec.encode(
                        new TableRecord("ONE", made.tableId(), TableRecord.State.LIVE, List.of()));
        cluster.rows.put(name("one"), changed);
        run(told -> {}).restore("backup", RestoreRequest.ALL);
        assertThat(cluster.rows.get(name("one"))).isEqualTo(changed);
        assertThat(cluster.rows).containsKey(name("two"));
    }
}
