package io.parterre.deploy.backup;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.backup.BackupManifest;
import io.parterre.proto.backup.BackupPlan;
import io.parterre.proto.backup.Chunk;
import io.parterre.proto.backup.Piece;
import io.parterre.proto.backup.PieceReference;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RepositoryTest {
    private static final byte[] KEY = new byte[32];

    @TempDir Path folder;

    private Repository open(Optional<byte[]> key, boolean create) throws IOException {
        return Repository.open(new FolderStore(folder.resolve("r")), key, create);
    }

    @Test
    void sealedObjectOpens_andNotOnceItIsDamaged() throws IOException {
        byte[] content = "some rows".repeat(500).getBytes(UTF_8);
        for (Seal seal : List.of(new Seal(Optional.empty()), new Seal(Optional.of(KEY)))) {
            byte[] object = seal.close("chunks/a", content);
            assertThat(seal.open("chunks/a", object)).isEqualTo(content);
            for (int i = 0; i < object.length; i++) {
                byte[] damaged = object.clone();
                damaged[i] ^= 0x10;
                assertThatExceptionOfType(BackupException.class)
                        .as("byte %s", i)
                        .isThrownBy(() -> seal.open("chunks/a", damaged));
            }
            assertThatExceptionOfType(BackupException.class)
                    .isThrownBy(
                            () -> seal.open("chunks/a", Arrays.copyOf(object, object.length - 1)));
        }
    }

    @Test
    void encryptedObjectIsRefused_underAnotherNameOrKey() throws IOException {
        Seal seal = new Seal(Optional.of(KEY));
        byte[] content = "secret".getBytes(UTF_8);
        byte[] object = seal.close("chunks/a", content);
        assertThat(new String(object, ISO_8859_1)).doesNotContain("secret");
        assertThat(seal.id(content)).isNotEqualTo(Seal.sum(content));
        assertThatExceptionOfType(BackupException.class)
                .isThrownBy(() -> seal.open("chunks/b", object));
        byte[] other = new byte[32];
        other[0] = 1;
        assertThatExceptionOfType(BackupException.class)
                .isThrownBy(() -> new Seal(Optional.of(other)).open("chunks/a", object));
    }

    @Test
    void repositoryIsRefused_whenKeyIsWrongOrMissing() throws IOException {
        open(Optional.of(KEY), true).close();
        byte[] other = new byte[32];
        other[31] = 9;
        for (Optional<byte[]> wrong : List.of(Optional.<byte[]>empty(), Optional.of(other))) {
            assertThatExceptionOfType(BackupException.class)
                    .isThrownBy(() -> open(wrong, true))
                    .withMessageContaining("key");
        }
        open(Optional.of(KEY), false).close();
    }

    @Test
    void folderIsRefused_whenItHoldsSomethingElse() throws IOException {
        Files.createDirectories(folder.resolve("r"));
        Files.writeString(folder.resolve("r/photo"), "x");
        assertThatExceptionOfType(BackupException.class)
                .isThrownBy(() -> open(Optional.empty(), true))
                .withMessageContaining("something else");
        assertThatExceptionOfType(BackupException.class)
                .isThrownBy(() -> open(Optional.empty(), false))
                .withMessageContaining("no repository");
    }

    @Test
    void foldersThatAreMadeAreSynced() throws IOException {
        Path root = folder.resolve("new/r");
        List<Path> synced = new ArrayList<>();
        FolderStore store = new FolderStore(root, synced::add);
        assertThat(synced).containsExactlyInAnyOrder(folder, folder.resolve("new"));
        synced.clear();
        store.put("chunks/ab/one", new byte[1]);
        assertThat(synced).containsExactly(root, root.resolve("chunks"), root.resolve("chunks/ab"));
        synced.clear();
        store.put("chunks/ab/two", new byte[1]);
        assertThat(synced).containsExactly(root.resolve("chunks/ab"));
        synced.clear();
        new FolderStore(root, synced::add).put("chunks/ab/three", new byte[1]);
        assertThat(synced).as("another process may have ended before").contains(root);
    }

    private static Piece written(Repository repository, int changedRow) throws IOException {
        ChunkWriter writer = new ChunkWriter(repository, false);
        Random random = new Random(7);
        for (int i = 0; i < 40_000; i++) {
            byte[] value = new byte[300];
            random.nextBytes(value);
            if (i == changedRow) {
                value[0]++;
            }
            writer.add(Key.wrap(String.format("\u0002%08d", i).getBytes(UTF_8)), value);
        }
        return repository.piece(writer.finish());
    }

    @Test
    void changedRowChangesItsChunkAlone() throws IOException {
        try (Repository repository = open(Optional.empty(), true)) {
            List<Chunk> before = written(repository, -1).getChunksList();
            long bytes = repository.addedBytes();
            List<Chunk> after = written(repository, 20_000).getChunksList();
            assertThat(before.size()).isGreaterThan(3);
            assertThat(after).hasSameSizeAs(before);
            assertThat(after.stream().filter(chunk -> !before.contains(chunk))).hasSize(1);
            assertThat(repository.addedBytes() - bytes).isLessThan(bytes / 2);
        }
    }

    @Test
    void rowsAreRefused_whenNotAscending() throws IOException {
        try (Repository repository = open(Optional.empty(), true)) {
            ChunkWriter writer = new ChunkWriter(repository, false);
            writer.add(Key.wrap(new byte[] {2, 1}), new byte[0]);
            assertThatExceptionOfType(BackupException.class)
                    .isThrownBy(() -> writer.add(Key.wrap(new byte[] {2, 1}), new byte[0]));
        }
    }

    private static BackupManifest whole(Repository repository, String id, int changedRow)
            throws IOException {
        ChunkWriter writer = new ChunkWriter(repository, false);
        for (int i = 0; i < 10; i++) {
            writer.add(
                    Key.wrap(new byte[] {2, (byte) i}),
                    new byte[] {(byte) (i == changedRow ? 1 : 0)});
        }
        BackupManifest manifest =
                BackupManifest.newBuilder()
                        .setVersion(Repository.VERSION)
                        .setBackupId(id)
                        .addPieces(
                                PieceReference.newBuilder()
                                        .setId(writer.finish())
                                        .setKeys(Intervals.toProto(KeyRange.ALL))
                                        .setRows(writer.rows())
                                        .setBytes(writer.bytes()))
                        .build();
        repository.putManifest(manifest);
        return manifest;
    }

    /** Removes no backup. Returns the number of removed objects. */
    static long prune(Repository repository, boolean afterKilled) throws IOException {
        return new RepositoryPruning(repository)
                .prune(afterKilled, Instant.EPOCH, Optional.empty())
                .getObjects();
    }

    @Test
    void pruneRemovesWhatOnlyDeletedBackupsNeeded() throws IOException {
        try (Repository repository = open(Optional.empty(), true)) {
            whole(repository, "one", 1);
            whole(repository, "two", 2);
            whole(repository, "three", 2);
            assertThat(prune(repository, false)).isZero();
            repository.delete("two");
            assertThat(prune(repository, false)).as("three shares all of it").isZero();
            repository.delete("one");
            assertThat(prune(repository, false)).as("a piece and a chunk").isEqualTo(2);
            new BackupVerify(repository, 1, line -> {}).verify("three");
            assertThat(repository.backupIds()).containsExactly("three");
        }
    }

    @Test
    void pruneAndBackupExcludeEachOther() throws IOException {
        BackupPlan plan = BackupPlan.newBuilder().setBackupId("begun").build();
        try (Repository repository = open(Optional.empty(), true)) {
            String marker = repository.beginPruning();
            assertThatExceptionOfType(BackupException.class)
                    .isThrownBy(() -> repository.putPlan(plan))
                    .withMessageContaining("being removed");
            repository.endPruning(marker);
            repository.putPlan(plan);
            assertThatExceptionOfType(BackupException.class)
                    .isThrownBy(() -> prune(repository, false))
                    .withMessageContaining("not whole");
        }
    }

    @Test
    void secondPruneIsRefused_andDoesNotEndTheFirst() throws IOException {
        BackupPlan plan = BackupPlan.newBuilder().setBackupId("begun").build();
        try (Repository repository = open(Optional.empty(), true);
                Repository other = open(Optional.empty(), false)) {
            String marker = repository.beginPruning();
            assertThatExceptionOfType(BackupException.class)
                    .isThrownBy(() -> prune(other, false))
                    .withMessageContaining("--after-killed");
            assertThatExceptionOfType(BackupException.class)
                    .isThrownBy(() -> other.putPlan(plan))
                    .withMessageContaining("being removed");
            assertThat(other.plan("begun")).isEmpty();
            repository.endPruning(marker);
            other.putPlan(plan);
        }
    }

    @Test
    void pruneAfterKilledOneLiftsItsLock() throws IOException {
        BackupPlan plan = BackupPlan.newBuilder().setBackupId("begun").build();
        try (Repository repository = open(Optional.empty(), true)) {
            repository.beginPruning();
            assertThat(prune(repository, true)).isZero();
            repository.putPlan(plan);
        }
    }

    @Test
    void verifyRefusesManifest_whenKeysAreMissingOrTwice() throws IOException {
        try (Repository repository = open(Optional.empty(), true)) {
            BackupManifest manifest = whole(repository, "one", 1);
            PieceReference piece = manifest.getPieces(0);
            for (List<PieceReference> wrong :
                    List.of(List.<PieceReference>of(), List.of(piece, piece))) {
                repository.putManifest(
                        manifest.toBuilder().clearPieces().addAllPieces(wrong).build());
                assertThatExceptionOfType(BackupException.class)
                        .isThrownBy(() -> new BackupVerify(repository, 1, line -> {}).verify("one"))
                        .withMessageContaining("manifest");
            }
        }
    }

    @Test
    void bucketPlaceIsRead_orRefusedWithWhatIsExpected() throws IOException {
        assertThat(S3Place.parse("s3://b/x/y?endpoint=http://h:1&region=eu"))
                .isEqualTo(new S3Place("b", "x/y/", Optional.of(URI.create("http://h:1")), "eu"));
        assertThat(S3Place.parse("s3://b").prefix()).isEmpty();
        for (String wrong : List.of("s3://", "s3:///x", "s3://b?colour=red")) {
            assertThatExceptionOfType(BackupException.class)
                    .isThrownBy(() -> S3Place.parse(wrong))
                    .withMessageContaining("expected: s3://BUCKET");
        }
    }
}
