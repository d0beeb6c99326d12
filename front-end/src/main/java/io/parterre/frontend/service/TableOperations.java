package io.parterre.frontend.service;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.filter.Filter;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.store.TablePage;
import io.parterre.frontend.store.TableQuery;
import io.parterre.frontend.store.TableStore;
import io.parterre.frontend.table.ContentNegotiation;
import io.parterre.frontend.table.ContinuationTokens;
import io.parterre.frontend.table.EntityReader;
import io.parterre.frontend.table.FilterParser;
import io.parterre.frontend.table.MetadataLevel;
import io.parterre.frontend.table.OperationAnswer;
import io.parterre.frontend.table.Preference;
import io.parterre.frontend.table.TableJsonWriter;
import io.parterre.frontend.table.TableNames;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Query, Get, Create and Delete Table. Source: docs/protocol.md 3.2 to 3.5. Stateless; thread-safe.
 */
record TableOperations(TableStore store, TableLimits limits) {
    /** Runs {@code GET} or {@code POST /Tables}. */
    CompletionStage<OperationAnswer> onAll(Operation operation) {
        return switch (operation.verb()) {
            case GET -> list(operation);
            case POST -> create(operation);
            case HEAD, PUT, MERGE, DELETE, OPTIONS ->
                    throw new StorageException(ErrorCode.METHOD_NOT_ALLOWED);
        };
    }

    /** Runs {@code GET} or {@code DELETE /Tables('name')}. */
    CompletionStage<OperationAnswer> onOne(Operation operation, String name) {
        return switch (operation.verb()) {
            case GET -> get(operation, name);
            case DELETE -> delete(operation, name);
            case HEAD, POST, PUT, MERGE, OPTIONS ->
                    throw new StorageException(ErrorCode.METHOD_NOT_ALLOWED);
        };
    }

    private CompletionStage<OperationAnswer> list(Operation operation) {
        TableJsonWriter writer = writer(operation, operation.level());
        Filter filter = operation.filter(limits.filter(), FilterParser.OF_TABLES);
        ContinuationTokens tokens =
                ContinuationTokens.ofTables(operation.caller().account().name());
        TableQuery query =
                new TableQuery(
                        filter,
                        operation.options().top(limits.pageEntitiesMax()),
                        tokens.tablePosition(operation.options()));
        if (query.top() == 0) {
            return CompletableFuture.completedStage(
                    listed(operation, writer, tokens, new TablePage(List.of(), Optional.empty())));
        }
        return operation
                .reads(store)
                .listTables(operation.accountId(), query, operation.deadline())
                .thenApply(page -> listed(operation, writer, tokens, page));
    }

    private static OperationAnswer listed(
            Operation operation,
            TableJsonWriter writer,
            ContinuationTokens tokens,
            TablePage page) {
        HeaderList headers = page.nextLowerCase().map(tokens::headers).orElse(HeaderList.EMPTY);
        return OperationAnswer.json(
                200,
                writer.level(),
                Optional.empty(),
                headers,
                writer.set(
                        page.names(),
                        operation.options().selectText(),
                        operation.memory()::gather));
    }

    private CompletionStage<OperationAnswer> get(Operation operation, String name) {
        TableJsonWriter writer = writer(operation, operation.level());
        return found(operation, name)
                .thenApply(
                        table ->
                                OperationAnswer.json(
                                        200,
                                        writer.level(),
                                        Optional.empty(),
                                        HeaderList.EMPTY,
                                        writer.single(table, operation.options().selectText())));
    }

    private CompletionStage<String> found(Operation operation, String name) {
        CompletionStage<Optional<String>> found =
                TableNames.isPossible(name)
                        ? operation
                                .reads(store)
                                .findTable(operation.accountId(), name, operation.deadline())
                        : CompletableFuture.completedStage(Optional.empty());
        return found.thenApply(
                table ->
                        table.orElseThrow(
                                () -> new StorageException(ErrorCode.RESOURCE_NOT_FOUND)));
    }

    private CompletionStage<OperationAnswer> create(Operation operation) {
        MetadataLevel level = operation.level();
        ContentNegotiation.checkBodyType(operation.headers().first("Content-Type"));
        String name =
                EntityReader.readTableName(
                        Arrays.copyOfRange(
                                operation.body(),
                                operation.bodyOffset(),
                                operation.bodyOffset() + operation.bodyLength()),
                        limits.tableNameCharsMin(),
                        limits.tableNameCharsMax());
        return store.createTable(operation.accountId(), name, operation.deadline())
                .thenApply(done -> created(operation, level, name));
    }

    private static OperationAnswer created(Operation operation, MetadataLevel level, String name) {
        Optional<Preference> preference = operation.preference();
        String location = operation.links().table(name);
        if (preference.equals(Optional.of(Preference.RETURN_NO_CONTENT))) {
            return OperationAnswer.empty(
                    204,
                    preference,
                    HeaderList.of("Location", location, "DataServiceId", location));
        }
        TableJsonWriter writer = new TableJsonWriter(level, operation.links(), Optional.empty());
        return OperationAnswer.json(
                201,
                level,
                preference,
                HeaderList.of("Location", location),
                writer.single(name, Optional.empty()));
    }

    private CompletionStage<OperationAnswer> delete(Operation operation, String name) {
        if (!TableNames.isPossible(name)) {
            throw new StorageException(ErrorCode.RESOURCE_NOT_FOUND);
        }
        return store.deleteTable(operation.accountId(), name, operation.deadline())
                .thenApply(done -> OperationAnswer.empty(204, Optional.empty(), HeaderList.EMPTY));
    }

    private TableJsonWriter writer(Operation operation, MetadataLevel level) {
        return new TableJsonWriter(
                level, operation.links(), operation.options().select(limits.selectNamesMax()));
    }
}
