package io.parterre.frontend.service;

import io.parterre.entity.EntityCodec;
import io.parterre.entity.EntityView;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.filter.Filter;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.store.EntityPageResult;
import io.parterre.frontend.store.EntityQuery;
import io.parterre.frontend.store.EntityWrite;
import io.parterre.frontend.store.StoredEntity;
import io.parterre.frontend.store.TableStore;
import io.parterre.frontend.store.WriteResult;
import io.parterre.frontend.table.ContentNegotiation;
import io.parterre.frontend.table.ContinuationTokens;
import io.parterre.frontend.table.ETags;
import io.parterre.frontend.table.EntityChange;
import io.parterre.frontend.table.EntityChangeReader;
import io.parterre.frontend.table.EntityJsonWriter;
import io.parterre.frontend.table.EntityReader;
import io.parterre.frontend.table.FilterParser;
import io.parterre.frontend.table.IfMatch;
import io.parterre.frontend.table.MetadataLevel;
import io.parterre.frontend.table.OperationAnswer;
import io.parterre.frontend.table.Preference;
import io.parterre.frontend.table.QueryPlan;
import io.parterre.frontend.table.QueryPlanner;
import io.parterre.frontend.table.Resource;
import io.parterre.frontend.table.SelectedProperties;
import io.parterre.frontend.table.TableNames;
import io.parterre.frontend.table.Verb;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Queries and writes of entities. Source: docs/protocol.md 3.6 to 3.9 and 5. Stateless; safe for
 * any thread.
 */
final class EntityOperations {
    /** Views are read by their keys and values; which table they came from does not show. */
    private static final ObjectId ANY_TABLE = new ObjectId(1);

    private static final int BYTES_BESIDE_VALUE = 512;

    /** That name an entity. */
    private static final int KEYS = 2;

    private final TableStore store;
    private final EntityReader entities;
    private final EntityChangeReader changes;
    private final QueryPlanner planner;
    private final TableLimits limits;

    EntityOperations(TableStore store, TableLimits limits) {
        this.store = store;
        this.entities = new EntityReader(limits.entity());
        this.changes = new EntityChangeReader(entities);
        this.planner = new QueryPlanner(limits.queryIntervalsMax());
        this.limits = limits;
    }

    /** {@code GET} or {@code POST /table}. */
    CompletionStage<OperationAnswer> onAll(Operation operation, Resource.Entities set) {
        return switch (operation.verb()) {
            case GET -> query(operation, set.table());
            case POST -> change(operation);
            case HEAD, PUT, MERGE, DELETE, OPTIONS ->
                    throw new StorageException(ErrorCode.METHOD_NOT_ALLOWED);
        };
    }

    /** Any verb but {@code POST} on {@code /table(PartitionKey='..',RowKey='..')}. */
    CompletionStage<OperationAnswer> onOne(Operation operation, Resource.OneEntity one) {
        return switch (operation.verb()) {
            case GET -> read(operation, one);
            case PUT, MERGE, DELETE -> change(operation);
            case HEAD, POST, OPTIONS -> throw new StorageException(ErrorCode.METHOD_NOT_ALLOWED);
        };
    }

    private CompletionStage<OperationAnswer> query(Operation operation, String table) {
        MetadataLevel level = operation.level();
        Filter filter = operation.filter(limits.filter(), FilterParser.OF_ENTITIES);
        Optional<List<String>> select = operation.options().select(limits.selectNamesMax());
        QueryPlan plan = planner.plan(filter);
        ContinuationTokens tokens =
                ContinuationTokens.ofEntities(operation.caller().account().name(), table);
        EntityQuery query =
                new EntityQuery(
                        operation.caller().access().keys().clip(plan.intervals()),
                        plan.residual(),
                        select.map(SelectedProperties::customNames),
                        operation.options().top(limits.pageEntitiesMax()),
                        tokens.entityPosition(operation.options()),
                        operation.memory());
        checkTable(table);
        if (query.top() == 0) {
            EntityPageResult nothing = new EntityPageResult(List.of(), 0, Optional.empty());
            return found(operation, table)
                    .thenApply(any -> queried(operation, level, table, select, tokens, nothing));
        }
        return operation
                .reads(store)
                .query(operation.accountId(), table, query, operation.deadline())
                .thenApply(page -> queried(operation, level, table, select, tokens, page));
    }

    private static OperationAnswer queried(
            Operation operation,
            MetadataLevel level,
            String table,
            Optional<List<String>> select,
            ContinuationTokens tokens,
            EntityPageResult page) {
        int storedBytes = page.pages().stream().mapToInt(bytes -> bytes.length).sum();
        EntityJsonWriter writer =
                new EntityJsonWriter(
                        level,
                        operation.links(),
                        table,
                        select,
                        2 * storedBytes + 1_024,
                        operation.memory()::gather);
        byte[] body = writer.set(page.pages(), operation.options().selectText());
        HeaderList next = page.next().map(tokens::headers).orElse(HeaderList.EMPTY);
        return OperationAnswer.json(200, level, Optional.empty(), next, body);
    }

    private CompletionStage<OperationAnswer> read(Operation operation, Resource.OneEntity one) {
        MetadataLevel level = operation.level();
        Optional<List<String>> select = operation.options().select(limits.selectNamesMax());
        entities.checkKeysInAddress(one.partitionKey(), one.rowKey());
        checkTable(one.table());
        if (!operation.caller().access().keys().contains(one.partitionKey(), one.rowKey())) {
            throw new StorageException(ErrorCode.RESOURCE_NOT_FOUND);
        }
        return operation
                .reads(store)
                .read(
                        operation.accountId(),
                        one.table(),
                        one.partitionKey(),
                        one.rowKey(),
                        select.map(SelectedProperties::customNames),
                        operation.deadline())
                .thenApply(
                        found ->
                                found.map(
                                                entity ->
                                                        readAnswer(
                                                                operation,
                                                                level,
                                                                one.table(),
                                                                select,
                                                                entity))
                                        .orElseThrow(
                                                () ->
                                                        new StorageException(
                                                                ErrorCode.RESOURCE_NOT_FOUND)));
    }

    private static OperationAnswer readAnswer(
            Operation operation,
            MetadataLevel level,
            String table,
            Optional<List<String>> select,
            StoredEntity entity) {
        EntityView view = entity.view();
        EntityJsonWriter writer =
                new EntityJsonWriter(
                        level,
                        operation.links(),
                        table,
                        select,
                        2 * entity.value().length + BYTES_BESIDE_VALUE,
                        operation.memory()::gather);
        byte[] body = writer.single(view, operation.options().selectText());
        HeaderList etag = HeaderList.of("ETag", ETags.of(view.timestampTicks()));
        return OperationAnswer.json(200, level, Optional.empty(), etag, body);
    }

    /**
     * Any verb on something below a table, which no client means that has the account's address
     * right. Source: tests of clients, which are told what is wrong by what the service answers: as
     * if it were a call on the table itself, whose existence comes first. No more than that is
     * known: what such a call would do, is not done.
     */
    CompletionStage<OperationAnswer> below(Operation operation, Resource.BelowTable below) {
        if (operation.verb() == Verb.HEAD) {
            throw new StorageException(ErrorCode.METHOD_NOT_ALLOWED);
        }
        if (operation.verb() == Verb.POST) {
            ContentNegotiation.checkBodyType(operation.headers().first("Content-Type"));
        }
        checkTable(below.table());
        return found(operation, below.table())
                .thenApply(
                        any -> {
                            throw refusal(operation, below);
                        });
    }

    private StorageException refusal(Operation operation, Resource.BelowTable below) {
        return switch (operation.verb()) {
            case GET -> new StorageException(ErrorCode.NOT_IMPLEMENTED);
            case POST -> {
                entities.readForInsert(
                        operation.body(), operation.bodyOffset(), operation.bodyLength());
                yield new StorageException(ErrorCode.INVALID_URI);
            }
            case PUT, MERGE, DELETE ->
                    below.keys() == KEYS
                            ? new StorageException(ErrorCode.INVALID_URI)
                            : new StorageException(
                                    ErrorCode.INVALID_INPUT,
                                    "The number of keys specified in the URI does not match number"
                                            + " of key properties for the resource.");
            case HEAD, OPTIONS -> new StorageException(ErrorCode.METHOD_NOT_ALLOWED);
        };
    }

    /** Fails with {@code TABLE_NOT_FOUND}. */
    private CompletionStage<String> found(Operation operation, String table) {
        return operation
                .reads(store)
                .findTable(operation.accountId(), table, operation.deadline())
                .thenApply(
                        name ->
                                name.orElseThrow(
                                        () -> new StorageException(ErrorCode.TABLE_NOT_FOUND)));
    }

    private CompletionStage<OperationAnswer> change(Operation operation) {
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
     * Reads a write that its credential permits.
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
        return change;
    }

    /** Sends the writes of one partition to the cluster. */
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

    /** The error of a refused write; a condition that is no version has a code of its own. */
    StorageException refusal(WriteResult.Refused refused, EntityChange change) {
        if (refused.code() == ErrorCode.ENTITY_TOO_LARGE) {
            return limits.entity().entityTooLarge();
        }
        if (refused.code() == ErrorCode.TOO_MANY_PROPERTIES) {
            return limits.entity().tooManyProperties();
        }
        boolean noTime =
                refused.code() == ErrorCode.UPDATE_CONDITION_NOT_SATISFIED
                        && change.ifMatch()
                                .filter(given -> given.kind() == IfMatch.Kind.NOT_A_TIME)
                                .isPresent();
        return new StorageException(noTime ? ErrorCode.CONDITION_NOT_MET : refused.code());
    }

    /** The answer to a write that happened. */
    OperationAnswer changed(Operation operation, EntityChange change, long ticks) {
        EntityWrite write = change.write();
        if (write.kind() == EntityWrite.Kind.DELETE) {
            return OperationAnswer.empty(204, Optional.empty(), HeaderList.EMPTY);
        }
        String etag = ETags.of(ticks);
        Optional<Preference> preference = change.preference();
        boolean echo = !preference.equals(Optional.of(Preference.RETURN_NO_CONTENT));
        if (write.kind() != EntityWrite.Kind.INSERT) {
            // An update never answers with its entity, so only the other preference was followed.
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

    private static void checkTable(String table) {
        if (!TableNames.isPossible(table)) {
            throw new StorageException(
                    table.startsWith("$Metrics")
                            ? ErrorCode.RESOURCE_NOT_FOUND
                            : ErrorCode.TABLE_NOT_FOUND);
        }
    }
}
