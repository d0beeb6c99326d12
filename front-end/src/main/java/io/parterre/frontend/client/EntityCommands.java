package io.parterre.frontend.client;

import static io.parterre.frontend.client.KeyMessages.bytes;

import com.google.protobuf.UnsafeByteOperations;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.store.EntityWrite;
import io.parterre.frontend.store.WriteResult;
import io.parterre.frontend.table.EntityLimits;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.Scope;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.Outcome;
import io.parterre.proto.range.WriteEntities;
import java.util.List;

/**
 * Converts writes to commands and outcomes to results. Commands carry the limits that only a
 * partition server can check, because a merge adds to the stored entity. Stateless; thread-safe.
 */
final class EntityCommands {
    private EntityCommands() {}

    static WriteEntities command(Scope scope, List<EntityWrite> writes, EntityLimits limits) {
        WriteEntities.Builder command =
                WriteEntities.newBuilder()
                        .setEntityBytesMax(limits.sizeBytesMax())
                        .setPropertiesMax(limits.propertiesMax());
        for (EntityWrite write : writes) {
            EntityOperation.Builder operation =
                    EntityOperation.newBuilder()
                            .setKind(kind(write.kind()))
                            .setKey(bytes(key(scope, write)))
                            .setBlock(UnsafeByteOperations.unsafeWrap(write.block()));
            write.ifMatchTicks().ifPresent(operation::setIfMatchTicks);
            command.addOperations(operation);
        }
        return command.build();
    }

    static Key key(Scope scope, EntityWrite write) {
        return KeyCodec.entity(scope, write.partitionKey(), write.rowKey());
    }

    /**
     * @throws StorageException {@code INTERNAL_ERROR} if the outcome is not one of a write
     */
    static WriteResult result(Outcome outcome) {
        return switch (outcome.getResultCase()) {
            case WRITTEN -> new WriteResult.Written(outcome.getWritten().getTimestampTicksList());
            case REJECTED ->
                    new WriteResult.Refused(
                            ErrorCode.ofWireName(outcome.getRejected().getCode())
                                    .orElseThrow(() -> unexpected(outcome)),
                            outcome.getRejected().getOperationIndex());
            case TABLE_CHANGED,
                    FENCED,
                    PROPERTIES_CHANGED,
                    MEMBERS_SET,
                    RANGE_SPLIT,
                    RANGE_FROZEN,
                    RANGE_THAWED,
                    RANGE_ABSORBED,
                    CLOCK_RESET,
                    ROWS_RESTORED,
                    RESULT_NOT_SET ->
                    throw unexpected(outcome);
        };
    }

    private static StorageException unexpected(Outcome outcome) {
        return new StorageException(
                ErrorCode.INTERNAL_ERROR,
                new IllegalStateException(
                        "outcome: "
                                + outcome.getResultCase()
                                + " "
                                + outcome.getRejected().getCode()
                                + " (expected: one of a write)"));
    }

    private static EntityOperation.Kind kind(EntityWrite.Kind kind) {
        return switch (kind) {
            case INSERT -> EntityOperation.Kind.INSERT;
            case UPDATE -> EntityOperation.Kind.UPDATE;
            case MERGE -> EntityOperation.Kind.MERGE;
            case INSERT_OR_REPLACE -> EntityOperation.Kind.INSERT_OR_REPLACE;
            case INSERT_OR_MERGE -> EntityOperation.Kind.INSERT_OR_MERGE;
            case DELETE -> EntityOperation.Kind.DELETE;
        };
    }
}
