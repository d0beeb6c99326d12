package io.parterre.deploy.backup;

import com.google.protobuf.ByteString;
import io.parterre.proto.backup.BackupManifest;
import io.parterre.proto.backup.Chunk;
import io.parterre.proto.backup.PieceReference;
import io.parterre.proto.backup.PruneSummary;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Removes what no backup of a repository needs. A backup in progress may rely on objects that no
 * manifest names yet, so prunes and backups exclude each other: each first writes its marker, then
 * looks for the other's. Each prune has its own marker, so the end of one does not end another.
 * Confined to one thread, which blocks.
 */
public final class RepositoryPruning {
    private final Repository repository;

    public RepositoryPruning(Repository repository) {
        this.repository = repository;
    }

    /**
     * Removes backups that are too old, objects that no backup needs any more, and archived changes
     * from before all backups.
     *
     * @param afterKilled asserts that no other prune runs, so that markers without an end belong to
     *     killed ones
     * @param keep retention, within which every time stays restorable; empty: all backups stay
     * @throws BackupException if a backup was begun and is incomplete, or one is damaged, or
     *     another prune runs: nothing is removed then
     */
    public PruneSummary prune(boolean afterKilled, Instant now, Optional<Duration> keep)
            throws IOException {
        if (afterKilled) {
            repository.forgetPruning();
        }
        String marker = repository.beginPruning();
        try {
            return prune(now, keep);
        } finally {
            repository.endPruning(marker);
        }
    }

    private PruneSummary prune(Instant now, Optional<Duration> keep) throws IOException {
        // Refuses before anything is removed.
        needed();
        ArchiveRetention retention = ArchiveRetention.of(repository, now, keep);
        for (String each : retention.backups()) {
            repository.delete(each);
        }
        ArchiveParts archive = new ArchiveParts(repository);
        for (String each : retention.parts()) {
            archive.delete(each);
        }
        return PruneSummary.newBuilder()
                .addAllBackups(retention.backups())
                .setArchiveObjects(retention.parts().size())
                .setObjects(removeNotNeeded())
                .build();
    }

    private long removeNotNeeded() throws IOException {
        Set<ByteString> needed = needed();
        long removed = 0;
        for (Repository.Named each : repository.contents()) {
            if (!needed.contains(each.id())) {
                repository.remove(each);
                removed++;
            }
        }
        return removed;
    }

    private Set<ByteString> needed() throws IOException {
        Set<ByteString> needed = new HashSet<>();
        for (String id : repository.backupIds()) {
            Optional<BackupManifest> manifest = repository.manifest(id);
            if (manifest.isEmpty()) {
                throw BackupException.refused(
                        "backup "
                                + id
                                + " is not whole (expected: 'backup create --resume' or 'backup"
                                + " delete' before)");
            }
            for (PieceReference piece : manifest.get().getPiecesList()) {
                if (needed.add(piece.getId())) {
                    for (Chunk chunk : repository.piece(piece.getId()).getChunksList()) {
                        needed.add(chunk.getId());
                    }
                }
            }
        }
        return needed;
    }
}
