package io.parterre.deploy.backup;

import com.google.protobuf.ByteString;
import io.parterre.proto.backup.BackupManifest;
import io.parterre.proto.backup.Chunk;
import io.parterre.proto.backup.PieceReference;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Removes what no backup of a repository needs. A backup that is being made may count on objects
 * that none names yet, so the two exclude each other: each announces itself first, and looks for
 * the other afterwards. Each prune says so for itself, so the end of one does not end another. For
 * one thread, which waits.
 */
public final class RepositoryPruning {
    private final Repository repository;

    public RepositoryPruning(Repository repository) {
        this.repository = repository;
    }

    /**
     * Removes objects.
     *
     * @param afterKilled no other prune runs: those that have not said that they ended were killed
     * @return how many were removed
     * @throws BackupException if a backup was begun and is not whole, or one is damaged, or another
     *     prune runs: nothing is removed then
     */
    public long prune(boolean afterKilled) throws IOException {
        if (afterKilled) {
            repository.forgetPruning();
        }
        String marker = repository.beginPruning();
        try {
            Set<ByteString> needed = needed();
            long removed = 0;
            for (Repository.Named each : repository.contents()) {
                if (!needed.contains(each.id())) {
                    repository.remove(each);
                    removed++;
                }
            }
            return removed;
        } finally {
            repository.endPruning(marker);
        }
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
