package io.parterre.frontend.service;

import io.parterre.entity.EntityCodec;
import io.parterre.entity.EntityView;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.store.EntityWrite;
import io.parterre.frontend.store.TableStore;
import io.parterre.frontend.store.WriteResult;
import io.parterre.frontend.table.ETags;
import io.parterre.frontend.table.EntityChange;
import io.parterre.frontend.table.EntityChangeReader;
import io.parterre.frontend.table.EntityJsonWriter;
import io.parterre.frontend.table.EntityLimits;
import io.parterre.frontend.table.EntityReader;
import io.parterre.frontend.table.IfMatch;
import io.parterre.frontend.table.OperationAnswer;
import io.parterre.frontend.table.Preference;
import io.parterre.frontend.table.TableNames;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Writes of entities, as single calls or in a change set. Source: docs/protocol.md 3.7 to 3.9.
 * Stateless; thread-safe.
 */
final class EntityWrites {
    /** Bytes reserved in an answer besides twice the stored bytes of its entity. */
    static final int BYTES_BESIDE_VALUE = 512;

    /**
     * Table id for views, which are read only by their keys and values, so that the table does not
     * matter.
     */
    private static final ObjectId ANY_TABLE = new ObjectId(1);

    private final TableStore store;
    private final EntityChangeReader changes;
    private final EntityLimits limits;

    EntityWrites(TableStore store, EntityReader entities, EntityLimits limits) {
        this.store = store;
        this.changes = new EntityChangeReader(entities);
        this.limits = limits;
    }

    /** Executes a write that is a call of its own. */
    CompletionStage<OperationAnswer> change(Operation operation) {
        EntityChange change = parseChange(operation);
        return write(operation, List.of(change))
                .thenApply(
                        result -> {
                            if (result instanceof WriteResult.Refused refused) {
                                throw refusal(refused, change);
                            }
                            long ticks = ticks((WriteResult.Written) result, 0);
                            return changed(operation, change, ticks);
                        });
    }

    /**
     * Parses a write and checks that its credential permits it.
     *
     * @throws StorageException if a check fails or the operation is no write
     * @throws SyntaxException if its {@code If-Match} is malformed
     */
    EntityChange parseChange(Operation operation) {
        EntityChange change =
                changes.read(
                        operation.verb(),
                        operation.resource(),
                        operation.headers(),
                        operation.ifMatch(),
                        operation.level(),
                        operation.body(),
                        operation.bodyOffset(),
                        operation.bodyLength());
        Authorization.check(operation, change);
        operation.request().call().notes().written(change.table(), change.write().partitionKey());
        return change;
    }

    /** Sends writes of one partition to the cluster. */
    CompletionStage<WriteResult> write(Operation operation, List<EntityChange> parsed) {
        String table = parsed.get(0).table();
        if (!TableNames.isPossible(table)) {
            return CompletableFuture.failedStage(new StorageException(ErrorCode.TABLE_NOT_FOUND));
        }
        List<EntityWrite> writes = new ArrayList<>(parsed.size());
        parsed.forEach(change -> writes.add(change.write()));
        return store.write(operation.accountId(), table, writes, operation.deadline());
    }

    static long ticks(WriteResult.Written written, int index) {
        return written.timestampTicks().get(index);
    }

    /**
     * Returns the error of a refused write. A condition that is no version has its own error code.
     */
    StorageException refusal(WriteResult.Refused refused, EntityChange change) {
        if (refused.code() == ErrorCode.ENTITY_TOO_LARGE) {
            return limits.entityTooLarge();
        }
        if (refused.code() == ErrorCode.TOO_MANY_PROPERTIES) {
            return limits.tooManyProperties();
        }
        boolean noTime =
                refused.code() == ErrorCode.UPDATE_CONDITION_NOT_SATISFIED
                        && change.ifMatch()
                                .filter(given -> given.kind() == IfMatch.Kind.NOT_A_TIME)
                                .isPresent();
        return new StorageException(noTime ? ErrorCode.CONDITION_NOT_MET : refused.code());
    }

    /** Returns the answer to a write that happened. */
    OperationAnswer changed(Operation operation, EntityChange change, long ticks) {
        EntityWrite write = change.write();
        if (write.kind() == EntityWrite.Kind.DELETE) {
            return OperationAnswer.empty(204, Optional.empty(), HeaderList.EMPTY);
        }
        String etag = ETags.of(ticks);
        Optional<Preference> preference = change.preference();
        boolean echo = !preference.equals(Optional.of(Preference.RETURN_NO_CONTENT));
        if (write.kind() != EntityWrite.Kind.INSERT) {
            // An update never answers with its entity, so only return-no-content was applied.
            return OperationAnswer.empty(
                    204, echo ? Optional.empty() : preference, HeaderList.of("ETag", etag));
        }
        String location =
                operation.links().entity(change.table(), write.partitionKey(), write.rowKey());
        if (!echo) {
            return OperationAnswer.empty(
                    204,
                    preference,
                    HeaderList.of("Location", location, "DataServiceId", location, "ETag", etag));
        }
        return OperationAnswer.json(
                201,
                change.level(),
                preference,
                HeaderList.of("Location", location, "ETag", etag),
                inserted(operation, change, ticks));
    }

    private static byte[] inserted(Operation operation, EntityChange change, long ticks) {
        EntityWrite write = change.write();
        EntityView view =
                EntityView.of(
                        KeyCodec.entity(
                                Scope.ofTable(operation.accountId(), ANY_TABLE),
                                write.partitionKey(),
                                write.rowKey()),
                        EntityCodec.encodeValue(ticks, write.block()));
        EntityJsonWriter writer =
                new EntityJsonWriter(
                        change.level(),
                        operation.links(),
                        change.table(),
                        Optional.empty(),
                        2 * write.block().length + BYTES_BESIDE_VALUE);
        return writer.single(view, Optional.empty());
    }
}
