package io.parterre.deploy.backup;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.backup.BackupManifest;
import io.parterre.proto.backup.PieceReference;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Reads a whole backup without restoring it. Confined to one thread, which blocks. */
public final class BackupVerify {
    private final Repository repository;
    private final int parallel;
    private final Consumer<String> told;

    public BackupVerify(Repository repository, int parallel, Consumer<String> told) {
        this.repository = repository;
        this.parallel = parallel;
        this.told = told;
    }

    /**
     * Returns the manifest of a backup that is complete and undamaged.
     *
     * @throws BackupException if it is not
     */
    public BackupManifest verify(String backupId) throws IOException {
        BackupManifest manifest =
                repository
                        .manifest(backupId)
                        .orElseThrow(
                                () ->
                                        BackupException.damaged(
                                                "backup "
                                                        + backupId
                                                        + " is not whole: it has no manifest"));
        requireCover(manifest.getPiecesList());
        AtomicInteger done = new AtomicInteger();
        Workers.each(
                manifest.getPiecesList(),
                parallel,
                piece -> {
                    PieceRows.verify(repository, piece);
                    told.accept(
                            done.incrementAndGet()
                                    + " of "
                                    + manifest.getPiecesCount()
                                    + " pieces verified");
                });
        return manifest;
    }

    /** Requires that every key is in exactly one piece. */
    static void requireCover(List<PieceReference> pieces) throws BackupException {
        Key end = Key.FIRST;
        for (PieceReference each : pieces) {
            KeyRange keys;
            try {
                keys = Intervals.of(each.getKeys());
            } catch (IllegalArgumentException empty) {
                throw BackupException.damaged("manifest: " + empty.getMessage(), empty);
            }
            if (!keys.start().equals(end)) {
                throw BackupException.damaged(
                        "manifest: a piece begins at " + keys.start() + " (expected: " + end + ")");
            }
            end = keys.endExclusive();
        }
        if (!end.equals(Key.LAST)) {
            throw BackupException.damaged("manifest: no piece begins at " + end);
        }
    }
}
