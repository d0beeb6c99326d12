package io.parterre.deploy.backup;

import com.google.protobuf.ByteString;
import io.parterre.directory.TableRecord;
import io.parterre.directory.TableRecordCodec;
import io.parterre.entity.Ticks;
import io.parterre.key.EntityKey;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.proto.backup.ArchiveIdentity;
import io.parterre.proto.backup.BackupManifest;
import io.parterre.proto.backup.BackupTable;
import io.parterre.proto.backup.PieceReference;
import io.parterre.proto.backup.RestorableWindow;
import io.parterre.proto.backup.SettingsRow;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A cluster as of a time: an earlier backup, and an archive that is verified to have all changes
 * since. Immutable.
 */
public final class PointInTime {
    /**
     * Largest expected difference between the clock of a machine that made a backup and that of one
     * with an archive.
     */
    private static final Duration CLOCKS = Duration.ofHours(1);

    private final BackupManifest manifest;
    private final ChangedRows rows;

    private PointInTime(BackupManifest manifest, ChangedRows rows) {
        this.manifest = manifest;
        this.rows = rows;
    }

    /** Returns the manifest of the earlier backup, with the tables and settings as of the time. */
    BackupManifest manifest() {
        return manifest;
    }

    /** Returns the rows as of the time. */
    PieceSource rows() {
        return rows;
    }

    /**
     * Opens a cluster as of a time.
     *
     * @param backupId backup to start from; empty: the newest that ended before the time
     * @throws BackupException if there is no such backup, or the archive lacks changes: the message
     *     names the range, the keys and the time
     */
    public static PointInTime open(Repository repository, long ticks, Optional<String> backupId)
            throws IOException {
        BackupManifest base = manifestFor(repository, ticks, backupId);
        ArchiveParts parts = new ArchiveParts(repository);
        ArchiveIdentity archive =
                parts.identity()
                        .orElseThrow(
                                () ->
                                        BackupException.refused(
                                                "there is no archive (expected: one that 'backup"
                                                        + " archive' keeps)"));
        if (!archive.getClusterId().equals(base.getClusterId())) {
            throw BackupException.refused(
                    "the archive is of cluster "
                            + archive.getClusterId()
                            + " (expected: that of backup "
                            + base.getBackupId()
                            + ", "
                            + base.getClusterId()
                            + ")");
        }
        ArchiveIndex index = index(parts, base);
        Map<KeyRange, List<Stretch>> stretches = new HashMap<>();
        List<Lineage.Hole> holes = new ArrayList<>();
        for (PieceReference piece : base.getPiecesList()) {
            Lineage lineage = lineage(index, piece, ticks);
            stretches.put(Intervals.of(piece.getKeys()), lineage.stretches());
            holes.addAll(lineage.holes());
        }
        if (!holes.isEmpty()) {
            throw BackupException.refused(
                    "the archive does not reach from backup "
                            + base.getBackupId()
                            + " to "
                            + Ticks.format(ticks)
                            + ": "
                            + holes.get(0).words()
                            + (holes.size() > 1 ? " (and " + (holes.size() - 1) + " more)" : ""));
        }
        ChangedRows rows = new ChangedRows(repository, parts, stretches, ticks);
        return new PointInTime(asOf(base, rows), rows);
    }

    private static Lineage lineage(ArchiveIndex index, PieceReference piece, long ticks) {
        return Lineage.of(
                index,
                piece.getRangeId(),
                piece.getAppliedIndex(),
                Intervals.of(piece.getKeys()),
                ticks);
    }

    private static ArchiveIndex index(ArchiveParts parts, BackupManifest base) throws IOException {
        List<String> since = new ArrayList<>();
        for (String part : parts.parts()) {
            if (ArchiveParts.madeMillis(part) >= base.getBegunMillis() - CLOCKS.toMillis()) {
                since.add(part);
            }
        }
        return new ArchiveIndex(parts.heads(since));
    }

    /** Returns the backup to start from, see {@link #open}. */
    public static String base(Repository repository, long ticks, Optional<String> backupId)
            throws IOException {
        return manifestFor(repository, ticks, backupId).getBackupId();
    }

    private static BackupManifest manifestFor(
            Repository repository, long ticks, Optional<String> backupId) throws IOException {
        if (backupId.isPresent()) {
            BackupManifest asked =
                    repository
                            .manifest(backupId.get())
                            .orElseThrow(
                                    () ->
                                            BackupException.damaged(
                                                    "backup " + backupId.get() + " is not whole"));
            if (fromTicks(asked) > ticks) {
                throw BackupException.refused(
                        "backup "
                                + backupId.get()
                                + " holds writes up to "
                                + Ticks.format(fromTicks(asked))
                                + " (expected: none after "
                                + Ticks.format(ticks)
                                + ")");
            }
            return asked;
        }
        List<String> ids = repository.backupIds();
        for (int i = ids.size() - 1; i >= 0; i--) {
            Optional<BackupManifest> each = repository.manifest(ids.get(i));
            if (each.isPresent() && fromTicks(each.get()) <= ticks) {
                return each.get();
            }
        }
        throw BackupException.refused(
                "no backup is from before "
                        + Ticks.format(ticks)
                        + " (expected: one that holds no later write)");
    }

    /**
     * Returns the earliest time to which a backup can be brought; no range of it was read at a
     * later time.
     */
    static long fromTicks(BackupManifest backup) {
        long from = Long.MIN_VALUE;
        for (PieceReference piece : backup.getPiecesList()) {
            from =
                    Math.max(
                            from,
                            piece.getLogTimeTicks() != 0
                                    ? piece.getLogTimeTicks()
                                    : Ticks.of(
                                            Instant.ofEpochMilli(backup.getEndedMillis())
                                                    .plus(CLOCKS)));
        }
        return from;
    }

    /** Returns the manifest with the tables and settings of the time in place of the backup's. */
    private static BackupManifest asOf(BackupManifest base, ChangedRows rows) throws IOException {
        BackupManifest.Builder manifest = base.toBuilder().clearTables().clearSettings();
        KeyRange directory = DirectoryOfBackup.KEYS;
        for (PieceReference piece : base.getPiecesList()) {
            if (Intervals.of(piece.getKeys()).overlaps(directory)) {
                rows.forEachRow(
                        piece,
                        directory::overlaps,
                        directory::contains,
                        (key, value) -> add(KeyCodec.decode(key), value, manifest));
            }
        }
        return manifest.build();
    }

    private static void add(EntityKey key, byte[] value, BackupManifest.Builder manifest) {
        long accountId = key.scope().accountId().value();
        if (key.scope().objectId().equals(ObjectId.SERVICE_PROPERTIES)) {
            manifest.addSettings(
                    SettingsRow.newBuilder()
                            .setAccountId(accountId)
                            .setService(key.partitionKey())
                            .setRow(ByteString.copyFrom(value)));
            return;
        }
        TableRecord table = TableRecordCodec.decode(value);
        if (table.state() == TableRecord.State.LIVE) {
            manifest.addTables(
                    BackupTable.newBuilder()
                            .setAccountId(accountId)
                            .setName(table.name())
                            .setTableId(table.tableId().value())
                            .setRow(ByteString.copyFrom(value)));
        }
    }

    /**
     * Reads everything without restoring it.
     *
     * @throws BackupException if something is damaged or missing
     */
    public BackupManifest verify(Repository repository, int parallel, Consumer<String> told)
            throws IOException {
        new BackupVerify(repository, parallel, told).verify(manifest.getBackupId());
        rows.verify(told);
        return manifest;
    }

    /**
     * Returns the times to which a repository's cluster can be restored, by complete backups, the
     * oldest first.
     */
    public static List<RestorableWindow> windows(Repository repository) throws IOException {
        ArchiveParts parts = new ArchiveParts(repository);
        Optional<ArchiveIdentity> archive = parts.identity();
        List<RestorableWindow> windows = new ArrayList<>();
        if (archive.isEmpty()) {
            return windows;
        }
        List<BackupManifest> backups = new ArrayList<>();
        for (String id : repository.backupIds()) {
            repository
                    .manifest(id)
                    .filter(each -> each.getClusterId().equals(archive.get().getClusterId()))
                    .ifPresent(backups::add);
        }
        Optional<BackupManifest> oldest = backups.stream().findFirst();
        if (oldest.isEmpty()) {
            return windows;
        }
        ArchiveIndex index = index(parts, oldest.get());
        for (BackupManifest backup : backups) {
            windows.add(window(index, backup));
        }
        return windows;
    }

    private static RestorableWindow window(ArchiveIndex index, BackupManifest backup) {
        List<Lineage.Hole> holes = new ArrayList<>();
        for (PieceReference piece : backup.getPiecesList()) {
            holes.addAll(lineage(index, piece, Ticks.MAX).holes());
        }
        long from = fromTicks(backup);
        long to = Lineage.knownTicks(holes);
        RestorableWindow.Builder window =
                RestorableWindow.newBuilder().setBackupId(backup.getBackupId());
        if (to >= from) {
            window.setFromTicks(from).setToTicks(to);
        }
        holes.stream()
                .filter(each -> !each.atEnd())
                .findFirst()
                .ifPresent(each -> window.setEnd(each.words()));
        return window.build();
    }
}
