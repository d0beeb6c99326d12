package io.parterre.deploy.backup;

import com.google.protobuf.ByteString;
import io.parterre.deploy.client.Pace;
import io.parterre.directory.TableRecord;
import io.parterre.directory.TableRecordCodec;
import io.parterre.key.AccountId;
import io.parterre.key.EntityKey;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.proto.backup.BackupManifest;
import io.parterre.proto.backup.BackupTable;
import io.parterre.proto.backup.PieceReference;
import io.parterre.proto.backup.RestoreState;
import io.parterre.proto.backup.RestoredTable;
import io.parterre.proto.backup.SettingsRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Restores tables of a backup to a cluster of any size. Rows are first written under new table ids,
 * which no client can name; the tables get their names last. So a table appears with all its rows
 * or not at all. Confined to one thread, which blocks.
 */
public final class RestoreRun {
    private static final long NOTE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ClusterAccess cluster;
    private final Repository repository;
    private final BackupOptions options;
    private final RestoreFile file;
    private final Consumer<String> told;
    private final RangeStream reader;
    private final RowWriter writer;
    private final Patience patience;
    // Guarded by this.
    private RestoreState.Builder state = RestoreState.newBuilder();
    private long notedNanos;

    /**
     * Creates a run.
     *
     * @param file records what the run has begun; removed at the end
     * @param told receives progress messages for operators
     */
    public RestoreRun(
            ClusterAccess cluster,
            Repository repository,
            RowAccess access,
            BackupOptions options,
            Path file,
            Consumer<String> told) {
        this.cluster = cluster;
        this.repository = repository;
        this.options = options;
        this.file = new RestoreFile(file);
        this.told = told;
        this.patience = new Patience(options.patience());
        this.reader = access.reader(options);
        this.writer =
                new RowWriter(
                        cluster, access.token(), patience, new Pace(options.bytesPerSecond()));
    }

    /** Returns the backup whose restore was begun according to the file; empty if none was. */
    public Optional<String> begunBackupId() throws IOException {
        return file.read().map(RestoreState::getBackupId);
    }

    /**
     * Restores, or continues a restore that was begun according to the file.
     *
     * @param backupId id of the backup; for a time, the backup to start from
     * @return what was restored
     * @throws BackupException if the backup is damaged or incomplete, the archive does not have all
     *     changes until the time, or the cluster cannot accept the tables
     */
    public RestoreState restore(String backupId, RestoreRequest request) throws IOException {
        if (request.toTicks().isPresent()) {
            PointInTime time =
                    PointInTime.open(
                            repository, request.toTicks().getAsLong(), Optional.of(backupId));
            return restore(time.manifest(), time.rows(), request);
        }
        BackupManifest manifest =
                repository
                        .manifest(backupId)
                        .orElseThrow(
                                () ->
                                        BackupException.damaged(
                                                "backup " + backupId + " is not whole"));
        return restore(manifest, PieceSource.asBackedUp(repository), request);
    }

    private RestoreState restore(
            BackupManifest manifest, PieceSource source, RestoreRequest request)
            throws IOException {
        BackupVerify.requireCover(manifest.getPiecesList());
        begin(manifest, request);
        RestoreTargets targets = new RestoreTargets(unnamed());
        Set<ByteString> done = new HashSet<>(state.getPiecesDoneList());
        List<PieceReference> left =
                manifest.getPiecesList().stream()
                        .filter(each -> targets.overlaps(Intervals.of(each.getKeys())))
                        .filter(each -> !done.contains(id(each)))
                        .toList();
        Workers.each(left, options.parallel(), piece -> piece(piece, source, targets));
        // Before the first name, because what clients delete from then on must not be restored
        // again.
        write();
        names(manifest, request);
        RestoreState restored = state.build();
        file.delete();
        return restored;
    }

    /** Returns an id of the reference, because all pieces without rows have the same id. */
    private static ByteString id(PieceReference piece) {
        return ByteString.copyFrom(Seal.sum(piece.toByteArray()));
    }

    private void begin(BackupManifest manifest, RestoreRequest request) throws IOException {
        String clusterId = cluster.clusterId();
        Optional<RestoreState> begun = file.read();
        if (begun.isPresent()) {
            if (!begun.get().getBackupId().equals(manifest.getBackupId())
                    || !begun.get().getClusterId().equals(clusterId)) {
                throw BackupException.refused(
                        file.path()
                                + ": is of a restore of backup "
                                + begun.get().getBackupId()
                                + " into cluster "
                                + begun.get().getClusterId()
                                + " (expected: the same command, or another file)");
            }
            if (!begun.get().getAsked().equals(request.toProto())) {
                throw BackupException.refused(
                        file.path()
                                + ": is of a restore with "
                                + RestoreRequest.options(begun.get().getAsked())
                                + " (expected: the same command, or another file)");
            }
            told.accept("going on after " + begun.get().getRows() + " rows");
            state = begun.get().toBuilder();
            noteNamed();
            return;
        }
        state =
                RestoreState.newBuilder()
                        .setVersion(Repository.VERSION)
                        .setBackupId(manifest.getBackupId())
                        .setClusterId(clusterId)
                        .setAsked(request.toProto())
                        .addAllTables(
                                RestorePlanner.plan(
                                        manifest,
                                        request,
                                        cluster.accounts(),
                                        taken(),
                                        cluster::newTableId));
        // Before any row is written; otherwise the new table ids would be lost.
        file.write(state.build());
    }

    /**
     * Records tables that are named already: a run may have ended between naming a table and
     * recording it.
     */
    private void noteNamed() throws IOException {
        Set<Long> there = new HashSet<>();
        directory((row, table) -> there.add(table.tableId().value()));
        Set<Long> noted = new HashSet<>(state.getNamedTableIdsList());
        for (RestoredTable each : state.getTablesList()) {
            if (there.contains(each.getNewTableId()) && noted.add(each.getNewTableId())) {
                state.addNamedTableIds(each.getNewTableId());
            }
        }
        write();
    }

    private List<RestoredTable> unnamed() {
        Set<Long> named = new HashSet<>(state.getNamedTableIdsList());
        return state.getTablesList().stream()
                .filter(each -> !named.contains(each.getNewTableId()))
                .toList();
    }

    private Set<TakenName> taken() throws IOException {
        Set<TakenName> taken = new HashSet<>();
        directory(
                (row, table) ->
                        taken.add(TakenName.of(row.scope().accountId(), row.partitionKey())));
        return taken;
    }

    /** Passes each table of the cluster to {@code taker}. */
    private void directory(BiConsumer<EntityKey, TableRecord> taker) throws IOException {
        Rows.readAll(
                cluster,
                reader,
                patience,
                DirectoryOfBackup.KEYS,
                (key, value) -> {
                    EntityKey row = KeyCodec.decode(key);
                    if (row.scope().objectId().equals(ObjectId.TABLES)) {
                        taker.accept(row, TableRecordCodec.decode(value));
                    }
                });
    }

    private void piece(PieceReference piece, PieceSource source, RestoreTargets targets)
            throws IOException {
        Batch batch = new Batch();
        source.forEachRow(
                piece,
                targets::overlaps,
                key -> targets.target(key).isPresent(),
                (key, value) -> batch.add(targets.target(key).orElseThrow(), value));
        batch.put();
        note(piece, batch.all);
    }

    /** Rows that are written together. */
    private final class Batch {
        private static final int BYTES_MAX = 4 << 20;

        private final List<PieceRows.Row> rows = new ArrayList<>();
        private long bytes;
        private long all;

        void add(Key key, byte[] value) throws IOException {
            // The tables may be in another order in the cluster.
            boolean ascends = rows.isEmpty() || rows.get(rows.size() - 1).key().compareTo(key) < 0;
            if (!ascends || bytes >= BYTES_MAX) {
                put();
            }
            rows.add(new PieceRows.Row(key, value));
            bytes += key.length() + (long) value.length;
            all++;
        }

        void put() throws IOException {
            if (!rows.isEmpty()) {
                RestoreRun.this.put(rows);
                rows.clear();
                bytes = 0;
            }
        }
    }

    private void put(List<PieceRows.Row> rows) throws IOException {
        long kept = writer.put(rows);
        if (kept > 0) {
            throw BackupException.refused(
                    kept + " rows are there with other values, from " + rows.get(0).key());
        }
    }

    private synchronized void note(PieceReference piece, long rows) throws IOException {
        state.addPiecesDone(id(piece)).setRows(state.getRows() + rows);
        long now = System.nanoTime();
        if (now - notedNanos > NOTE_NANOS) {
            notedNanos = now;
            write();
        }
        told.accept(state.getPiecesDoneCount() + " pieces restored, " + state.getRows() + " rows");
    }

    private synchronized void write() throws IOException {
        file.write(state.build());
    }

    /** Writes directory rows; from here on clients find the tables. */
    private void names(BackupManifest manifest, RestoreRequest request) throws IOException {
        Map<Long, BackupTable> tables = new HashMap<>();
        manifest.getTablesList().forEach(each -> tables.put(each.getTableId(), each));
        for (RestoredTable each : unnamed()) {
            TableRecord record =
                    TableRecordCodec.decode(tables.get(each.getTableId()).getRow().toByteArray());
            TableRecord made =
                    new TableRecord(
                            each.getNewName(),
                            new ObjectId(each.getNewTableId()),
                            TableRecord.State.LIVE,
                            record.policies());
            Key key =
                    KeyCodec.tableDirectoryRow(
                            new AccountId(each.getNewAccountId()),
                            each.getNewName().toLowerCase(Locale.ROOT));
            if (writer.put(List.of(new PieceRows.Row(key, TableRecordCodec.encode(made)))) > 0) {
                throw BackupException.refused(
                        "table " + each.getNewName() + " was created meanwhile");
            }
            state.addNamedTableIds(each.getNewTableId());
            write();
            told.accept("table " + each.getNewName() + " restored");
        }
        if (request.table().isEmpty()) {
            settings(manifest, request);
        }
    }

    /** Writes settings, except for accounts of the cluster that have some already. */
    private void settings(BackupManifest manifest, RestoreRequest request) throws IOException {
        Map<Long, String> names = RestorePlanner.names(manifest);
        Map<String, AccountId> accounts = cluster.accounts();
        for (SettingsRow each : manifest.getSettingsList()) {
            String name = names.get(each.getAccountId());
            AccountId into = accounts.get(request.intoAccount().orElse(name));
            if (into == null || !request.account().map(name::equals).orElse(true)) {
                continue;
            }
            writer.put(
                    List.of(
                            new PieceRows.Row(
                                    KeyCodec.servicePropertiesRow(into, each.getService()),
                                    each.getRow().toByteArray())));
        }
    }
}
