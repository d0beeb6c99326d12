package io.parterre.server.apply;

import io.parterre.directory.ServiceProperties;
import io.parterre.directory.ServicePropertiesCodec;
import io.parterre.directory.TableRecord;
import io.parterre.directory.TableRecordCodec;
import io.parterre.error.ErrorCode;
import io.parterre.server.command.ReplicaCommand.BeginDeleteTable;
import io.parterre.server.command.ReplicaCommand.CreateTable;
import io.parterre.server.command.ReplicaCommand.FinishDeleteTable;
import io.parterre.server.command.ReplicaCommand.SetServiceProperties;
import io.parterre.server.command.ReplicaCommand.SetTablePolicies;
import java.util.Optional;

/**
 * Changes of the directory: a table is created, given policies, marked as being deleted, and
 * removed; the service properties of an account are set.
 */
final class DirectoryApply {
    private DirectoryApply() {}

    static Outcome create(CreateTable command, Changes changes) {
        Optional<TableRecord> existing = changes.get(command.key()).map(TableRecordCodec::decode);
        if (existing.isPresent()) {
            return switch (existing.get().state()) {
                case LIVE -> Outcome.Rejected.of(ErrorCode.TABLE_ALREADY_EXISTS);
                case DELETING ->
                        new Outcome.Rejected(
                                ErrorCode.TABLE_BEING_DELETED,
                                0,
                                Optional.of(existing.get().tableId()));
            };
        }
        TableRecord table =
                new TableRecord(command.name(), command.tableId(), TableRecord.State.LIVE);
        changes.put(command.key(), TableRecordCodec.encode(table));
        return new Outcome.TableChanged(table.tableId(), table.name());
    }

    /** Rejects the command for a table that is absent or being deleted. */
    static Outcome setPolicies(SetTablePolicies command, Changes changes) {
        Optional<TableRecord> live =
                changes.get(command.key())
                        .map(TableRecordCodec::decode)
                        .filter(table -> table.state() == TableRecord.State.LIVE);
        if (live.isEmpty()) {
            return Outcome.Rejected.of(ErrorCode.TABLE_NOT_FOUND);
        }
        TableRecord table = live.get().with(command.policies());
        changes.put(command.key(), TableRecordCodec.encode(table));
        return new Outcome.TableChanged(table.tableId(), table.name());
    }

    /**
     * Changes only the parts that the command names, so that of two concurrent changes none is
     * lost.
     */
    static Outcome setProperties(SetServiceProperties command, Changes changes) {
        ServiceProperties stored =
                changes.get(command.key())
                        .map(ServicePropertiesCodec::decode)
                        .orElse(ServiceProperties.DEFAULT);
        changes.put(command.key(), ServicePropertiesCodec.encode(stored.with(command.change())));
        return new Outcome.PropertiesChanged();
    }

    /**
     * Succeeds also for a table that is already being deleted, so that another sender can finish
     * the deletion.
     */
    static Outcome beginDelete(BeginDeleteTable command, Changes changes) {
        Optional<TableRecord> existing = changes.get(command.key()).map(TableRecordCodec::decode);
        if (existing.isEmpty()) {
            return Outcome.Rejected.of(ErrorCode.RESOURCE_NOT_FOUND);
        }
        TableRecord table = existing.get();
        if (table.state() == TableRecord.State.LIVE) {
            changes.put(command.key(), TableRecordCodec.encode(table.deleting()));
        }
        return new Outcome.TableChanged(table.tableId(), table.name());
    }

    /** Changes nothing if the table is gone or another table has taken its name. */
    static Outcome finishDelete(FinishDeleteTable command, Changes changes) {
        Optional<TableRecord> deleted =
                changes.get(command.key())
                        .map(TableRecordCodec::decode)
                        .filter(table -> table.tableId().equals(command.tableId()))
                        .filter(table -> table.state() == TableRecord.State.DELETING);
        deleted.ifPresent(table -> changes.delete(command.key()));
        return new Outcome.TableChanged(
                command.tableId(), deleted.map(TableRecord::name).orElse(""));
    }
}
