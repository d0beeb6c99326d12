package io.parterre.frontend.service;

import io.parterre.entity.EntityView;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.filter.Filter;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.store.EntityPageResult;
import io.parterre.frontend.store.EntityQuery;
import io.parterre.frontend.store.StoredEntity;
import io.parterre.frontend.store.TableStore;
import io.parterre.frontend.table.ContinuationTokens;
import io.parterre.frontend.table.ETags;
import io.parterre.frontend.table.EntityJsonWriter;
import io.parterre.frontend.table.EntityReader;
import io.parterre.frontend.table.FilterParser;
import io.parterre.frontend.table.MetadataLevel;
import io.parterre.frontend.table.OperationAnswer;
import io.parterre.frontend.table.QueryPlan;
import io.parterre.frontend.table.QueryPlanner;
import io.parterre.frontend.table.Resource;
import io.parterre.frontend.table.SelectedProperties;
import io.parterre.frontend.table.TableNames;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Queries and point reads of entities. Source: docs/protocol.md 3.6 and 5. Stateless; thread-safe.
 */
final class EntityReads {
    private static final int BYTES_BESIDE_PAGE = 1_024;

    private final TableStore store;
    private final EntityReader entities;
    private final QueryPlanner planner;
    private final TableLimits limits;

    EntityReads(TableStore store, EntityReader entities, TableLimits limits) {
        this.store = store;
        this.entities = entities;
        this.planner = new QueryPlanner(limits.queryIntervalsMax());
        this.limits = limits;
    }

    /** Runs {@code GET /table}. */
    CompletionStage<OperationAnswer> query(Operation operation, String table) {
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
                writer(operation, level, table, select, 2 * storedBytes + BYTES_BESIDE_PAGE);
        byte[] body = writer.set(page.pages(), operation.options().selectText());
        HeaderList next = page.next().map(tokens::headers).orElse(HeaderList.EMPTY);
        return OperationAnswer.json(200, level, Optional.empty(), next, body);
    }

    private static EntityJsonWriter writer(
            Operation operation,
            MetadataLevel level,
            String table,
            Optional<List<String>> select,
            int capacityBytes) {
        return new EntityJsonWriter(
                level, operation.links(), table, select, capacityBytes, operation.memory()::gather);
    }

    /** Runs {@code GET /table(PartitionKey='..',RowKey='..')}. */
    CompletionStage<OperationAnswer> read(Operation operation, Resource.OneEntity one) {
        MetadataLevel level = operation.level();
        Optional<List<String>> select = operation.options().select(limits.selectNamesMax());
        entities.checkKeysInAddress(one.partitionKey(), one.rowKey());
        checkTable(one.table());
        if (!operation.caller().access().keys().contains(one.partitionKey(), one.rowKey())) {
            throw missing();
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
                                answer(
                                        operation,
                                        level,
                                        one.table(),
                                        select,
                                        found.orElseThrow(EntityReads::missing)));
    }

    private static StorageException missing() {
        return new StorageException(ErrorCode.RESOURCE_NOT_FOUND);
    }

    private static OperationAnswer answer(
            Operation operation,
            MetadataLevel level,
            String table,
            Optional<List<String>> select,
            StoredEntity entity) {
        EntityView view = entity.view();
        int capacityBytes = 2 * entity.value().length + EntityWrites.BYTES_BESIDE_VALUE;
        byte[] body =
                writer(operation, level, table, select, capacityBytes)
                        .single(view, operation.options().selectText());
        HeaderList etag = HeaderList.of("ETag", ETags.of(view.timestampTicks()));
        return OperationAnswer.json(200, level, Optional.empty(), etag, body);
    }

    /** Returns the table's name in the case of its creation. Fails with {@code TABLE_NOT_FOUND}. */
    CompletionStage<String> found(Operation operation, String table) {
        return operation
                .reads(store)
                .findTable(operation.accountId(), table, operation.deadline())
                .thenApply(
                        name ->
                                name.orElseThrow(
                                        () -> new StorageException(ErrorCode.TABLE_NOT_FOUND)));
    }

    /**
     * Refuses a name that no table can have.
     *
     * @throws StorageException {@code TABLE_NOT_FOUND}, {@code RESOURCE_NOT_FOUND}
     */
    static void checkTable(String table) {
        if (!TableNames.isPossible(table)) {
            throw new StorageException(
                    table.startsWith("$Metrics")
                            ? ErrorCode.RESOURCE_NOT_FOUND
                            : ErrorCode.TABLE_NOT_FOUND);
        }
    }
}
