package io.parterre.deploy.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.parterre.crash.CrashHook;
import io.parterre.key.Key;
import io.parterre.proto.backup.BackupManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups beside deleted, pruned and damaged ones. */
final class BackupRunTest {
    private static final BackupOptions OPTIONS = new BackupOptions(1, 0, Duration.ofSeconds(20));

    @TempDir Path folder;

    private ClusterOfOneRange cluster;
    private ClusterAccess access;
    private Repository repository;

    @BeforeEach
    void start() throws IOException {
        cluster = new ClusterOfOneRange();
        access = cluster.access();
        repository = Repository.open(new FolderStore(folder.resolve("r")), Optional.empty(), true);
        for (int i = 0; i < 10; i++) {
            cluster.rows.put(Key.wrap(new byte[] {2, (byte) i}), new byte[] {(byte) i});
        }
    }

    @AfterEach
    void close() {
        access.close();
        repository.close();
        cluster.close();
    }

    private BackupRun run() {
        return new BackupRun(
                access,
                repository,
                cluster.rowAccess(),
                OPTIONS,
                InstantSource.system(),
                CrashHook.none(),
                line -> {});
    }

    private BackupManifest verify(String id) throws IOException {
        return new BackupVerify(repository, 1, line -> {}).verify(id);
    }

    @Test
    void fullBackupMendsDamagedObjects() throws IOException {
        run().create("one", false);
        for (String kind : List.of("chunks", "pieces")) {
            for (Path object : objects(kind)) {
                byte[] bytes = Files.readAllBytes(object);
                bytes[bytes.length / 2] ^= 1;
                Files.write(object, bytes);
            }
        }
        assertThatExceptionOfType(BackupException.class).isThrownBy(() -> verify("one"));
        run().create("two", true);
        verify("two");
        verify("one");
    }

    private List<Path> objects(String kind) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("r").resolve(kind))) {
            List<Path> objects = files.filter(Files::isRegularFile).toList();
            assertThat(objects).isNotEmpty();
            return objects;
        }
    }

    @Test
    void backupGoesOn_whenNodeHasAnotherAddress() throws IOException {
        run().create("one", true);
        cluster.moveNode("n1:2");
        run().create("two", true);
        verify("two");
    }

    @Test
    void baseIsNotTakenOver_whenDeletedAndPrunedBeforePlan() throws IOException {
        run().create("one", false);
        assertThat(run().create("two", false).getPiecesList())
                .as("nothing has changed, so nothing was read")
                .isEqualTo(verify("one").getPiecesList());
        repository.delete("one");
        cluster.onListRanges =
                () -> {
                    cluster.onListRanges = () -> {};
                    try {
                        repository.delete("two");
                        assertThat(RepositoryTest.prune(repository, false)).isPositive();
                    } catch (IOException failure) {
                        throw new IllegalStateException(failure);
                    }
                };
        assertThat(run().create("three", false).getBase()).isEmpty();
        assertThat(verify("three").getPieces(0).getRows()).isEqualTo(10);
    }
}
