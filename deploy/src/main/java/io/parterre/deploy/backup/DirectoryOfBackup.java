package io.parterre.deploy.backup;

import com.google.protobuf.ByteString;
import io.parterre.directory.TableRecord;
import io.parterre.directory.TableRecordCodec;
import io.parterre.key.EntityKey;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.KeySpace;
import io.parterre.key.ObjectId;
import io.parterre.proto.backup.BackupManifest;
import io.parterre.proto.backup.BackupTable;
import io.parterre.proto.backup.Chunk;
import io.parterre.proto.backup.PieceReference;
import io.parterre.proto.backup.SettingsRow;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * Tables of a backup. Directory and entities are read at different times: a table created in
 * between has rows and no name, a deleted one has a name and perhaps no rows. So the backup's
 * tables are those that it has read and that still exist when everything else is read.
 */
final class DirectoryOfBackup {
    static final KeyRange KEYS = KeyRange.ofPrefix(Key.wrap(new byte[] {KeySpace.DIRECTORY.tag()}));

    private final Repository repository;
    private final NowReader now;

    /** Reads the current rows of the cluster. */
    @FunctionalInterface
    interface NowReader {
        void read(KeyRange keys, RangeStream.RowTaker taker) throws IOException;
    }

    DirectoryOfBackup(Repository repository, NowReader now) {
        this.repository = repository;
        this.now = now;
    }

    void addTo(BackupManifest.Builder manifest) throws IOException {
        Set<ObjectId> alive = new HashSet<>();
        now.read(
                KEYS,
                (key, value) -> {
                    if (KeyCodec.scopeOf(key).objectId().equals(ObjectId.TABLES)) {
                        TableRecord table = TableRecordCodec.decode(value);
                        if (table.state() == TableRecord.State.LIVE) {
                            alive.add(table.tableId());
                        }
                    }
                });
        for (PieceReference piece : manifest.getPiecesList()) {
            if (!Intervals.of(piece.getKeys()).overlaps(KEYS)) {
                continue;
            }
            for (Chunk chunk : PieceRows.chunks(repository.piece(piece.getId()), KEYS)) {
                for (PieceRows.Row row : PieceRows.rows(repository, chunk)) {
                    if (KEYS.contains(row.key())) {
                        add(row, alive, manifest);
                    }
                }
            }
        }
    }

    private static void add(
            PieceRows.Row row, Set<ObjectId> alive, BackupManifest.Builder manifest) {
        EntityKey key = KeyCodec.decode(row.key());
        long accountId = key.scope().accountId().value();
        if (key.scope().objectId().equals(ObjectId.SERVICE_PROPERTIES)) {
            manifest.addSettings(
                    SettingsRow.newBuilder()
                            .setAccountId(accountId)
                            .setService(key.partitionKey())
                            .setRow(ByteString.copyFrom(row.value())));
            return;
        }
        TableRecord table = TableRecordCodec.decode(row.value());
        if (table.state() == TableRecord.State.LIVE && alive.contains(table.tableId())) {
            manifest.addTables(
                    BackupTable.newBuilder()
                            .setAccountId(accountId)
                            .setName(table.name())
                            .setTableId(table.tableId().value())
                            .setRow(ByteString.copyFrom(row.value())));
        }
    }
}
