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
 * Changes of the directory: a table is created, given policies, then marked as being deleted, then
 * removed; an account gets other settings.
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

    /** A table being deleted has no policies to be set. */
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

    /** Parts are laid over what is stored here, so that two changes at a time lose none. */
    static Outcome setProperties(SetServiceProperties command, Changes changes) {
        ServiceProperties stored =
                changes.get(command.key())
                        .map(ServicePropertiesCodec::decode)
                        .orElse(ServiceProperties.DEFAULT);
        changes.put(command.key(), ServicePropertiesCodec.encode(stored.with(command.change())));
        return new Outcome.PropertiesChanged();
    }

    /** Also for a table already being deleted, so that another sender can finish that. */
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

    /** Does nothing where the table is gone or another has taken its name. */
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
