package io.parterre.bench.jmh;

import io.parterre.bench.load.Endpoint;
import io.parterre.directory.AccessPolicy;
import io.parterre.directory.ServiceProperties;
import io.parterre.frontend.auth.Account;
import io.parterre.frontend.store.EntityPageResult;
import io.parterre.frontend.store.EntityQuery;
import io.parterre.frontend.store.EntityWrite;
import io.parterre.frontend.store.StalenessNote;
import io.parterre.frontend.store.StoredEntity;
import io.parterre.frontend.store.TablePage;
import io.parterre.frontend.store.TableQuery;
import io.parterre.frontend.store.TableStore;
import io.parterre.frontend.store.WriteResult;
import io.parterre.key.AccountId;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A cluster that has every answer ready, so that only the front end's own cost remains. */
final class InstantStore implements TableStore {
    private static final long WRITTEN = 639_000_000_000_000_000L;

    private final CompletionStage<Optional<StoredEntity>> entity =
            CompletableFuture.completedStage(
                    Optional.of(new StoredEntity(Samples.key(100), Samples.value(100))));
    private final CompletionStage<EntityPageResult> page =
            CompletableFuture.completedStage(
                    new EntityPageResult(List.of(Samples.page()), 0, Optional.empty()));

    static Account account() {
        return new Account(
                new AccountId(7),
                Endpoint.DEVELOPMENT_ACCOUNT,
                List.of(Base64.getDecoder().decode(Endpoint.DEVELOPMENT_KEY)),
                false);
    }

    @Override
    public CompletionStage<Void> createTable(AccountId accountId, String table, Instant deadline) {
        return CompletableFuture.completedStage(null);
    }

    @Override
    public CompletionStage<Void> deleteTable(AccountId accountId, String table, Instant deadline) {
        return CompletableFuture.completedStage(null);
    }

    @Override
    public CompletionStage<Optional<String>> findTable(
            AccountId accountId, String table, Instant deadline) {
        return CompletableFuture.completedStage(Optional.of(table));
    }

    @Override
    public TableStore secondary(StalenessNote note) {
        return this;
    }

    @Override
    public CompletionStage<Optional<Duration>> secondaryStaleness(
            AccountId accountId, Instant deadline) {
        return CompletableFuture.completedStage(Optional.of(Duration.ZERO));
    }

    @Override
    public CompletionStage<TablePage> listTables(
            AccountId accountId, TableQuery query, Instant deadline) {
        return CompletableFuture.completedStage(new TablePage(List.of(), Optional.empty()));
    }

    @Override
    public CompletionStage<WriteResult> write(
            AccountId accountId, String table, List<EntityWrite> operations, Instant deadline) {
        return CompletableFuture.completedStage(
                new WriteResult.Written(Collections.nCopies(operations.size(), WRITTEN)));
    }

    @Override
    public CompletionStage<Optional<StoredEntity>> read(
            AccountId accountId,
            String table,
            String partitionKey,
            String rowKey,
            Optional<List<String>> select,
            Instant deadline) {
        return entity;
    }

    @Override
    public CompletionStage<EntityPageResult> query(
            AccountId accountId, String table, EntityQuery query, Instant deadline) {
        return page;
    }

    @Override
    public CompletionStage<List<AccessPolicy>> tablePolicies(
            AccountId accountId, String table, Instant deadline) {
        return CompletableFuture.completedStage(List.of());
    }

    @Override
    public CompletionStage<List<AccessPolicy>> readTablePolicies(
            AccountId accountId, String table, Instant deadline) {
        return CompletableFuture.completedStage(List.of());
    }

    @Override
    public CompletionStage<Void> setTablePolicies(
            AccountId accountId, String table, List<AccessPolicy> policies, Instant deadline) {
        return CompletableFuture.completedStage(null);
    }

    @Override
    public CompletionStage<ServiceProperties> serviceProperties(
            AccountId accountId, Instant deadline) {
        return CompletableFuture.completedStage(ServiceProperties.DEFAULT);
    }

    @Override
    public CompletionStage<Void> setServiceProperties(
            AccountId accountId, ServiceProperties.Change change, Instant deadline) {
        return CompletableFuture.completedStage(null);
    }
}
