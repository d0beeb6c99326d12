package io.parterre.frontend.quota;

import io.parterre.directory.AccessPolicy;
import io.parterre.directory.ServiceProperties;
import io.parterre.entity.EntityPage;
import io.parterre.error.StorageException;
import io.parterre.error.Throttle;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A store that limits its callers to quotas. A caller that has used up its quota is refused as busy
 * at once, without a request to the cluster. Thread-safe; nothing blocks.
 *
 * <p>A request counts as one call and as many entities as it writes or reads. A batch counts each
 * of its operations. A query counts one entity when it arrives, and the rest of the entities
 * examined once their number is known, which may leave a debt for the next request. What the front
 * end itself reads, to check a signature or an origin, is free.
 */
public record QuotaStore(TableStore store, QuotaGate gate) implements TableStore {
    private <T> CompletionStage<T> within(
            AccountId accountId,
            Optional<String> table,
            int entityCount,
            Supplier<CompletionStage<T>> call) {
        Optional<Throttle> refused = gate.take(accountId, table, entityCount);
        return refused.isPresent()
                ? CompletableFuture.failedStage(new StorageException(refused.get()))
                : call.get();
    }

    private <T> CompletionStage<T> onTable(
            AccountId accountId, String table, Supplier<CompletionStage<T>> call) {
        return within(accountId, Optional.of(table), 1, call);
    }

    @Override
    public TableStore secondary(StalenessNote note) {
        return new QuotaStore(store.secondary(note), gate);
    }

    @Override
    public CompletionStage<Optional<Duration>> secondaryStaleness(
            AccountId accountId, Instant deadline) {
        return store.secondaryStaleness(accountId, deadline);
    }

    @Override
    public CompletionStage<Void> createTable(AccountId accountId, String table, Instant deadline) {
        return onTable(accountId, table, () -> store.createTable(accountId, table, deadline));
    }

    @Override
    public CompletionStage<Void> deleteTable(AccountId accountId, String table, Instant deadline) {
        return onTable(accountId, table, () -> store.deleteTable(accountId, table, deadline));
    }

    @Override
    public CompletionStage<Optional<String>> findTable(
            AccountId accountId, String table, Instant deadline) {
        return onTable(accountId, table, () -> store.findTable(accountId, table, deadline));
    }

    @Override
    public CompletionStage<TablePage> listTables(
            AccountId accountId, TableQuery query, Instant deadline) {
        return within(
                accountId, Optional.empty(), 1, () -> store.listTables(accountId, query, deadline));
    }

    @Override
    public CompletionStage<WriteResult> write(
            AccountId accountId, String table, List<EntityWrite> operations, Instant deadline) {
        return within(
                accountId,
                Optional.of(table),
                operations.size(),
                () -> store.write(accountId, table, operations, deadline));
    }

    @Override
    public CompletionStage<Optional<StoredEntity>> read(
            AccountId accountId,
            String table,
            String partitionKey,
            String rowKey,
            Optional<List<String>> select,
            Instant deadline) {
        return onTable(
                accountId,
                table,
                () -> store.read(accountId, table, partitionKey, rowKey, select, deadline));
    }

    @Override
    public CompletionStage<EntityPageResult> query(
            AccountId accountId, String table, EntityQuery query, Instant deadline) {
        return onTable(accountId, table, () -> store.query(accountId, table, query, deadline))
                .thenApply(
                        page -> {
                            gate.charge(accountId, table, () -> beyondOne(page));
                            return page;
                        });
    }

    /**
     * Returns the entities examined for a page, whether or not the filter matched them, except the
     * one counted when the query arrived. A filter that matches nothing costs as much as a filter
     * that matches everything.
     */
    private static int beyondOne(EntityPageResult page) {
        long returned = page.pages().stream().mapToLong(EntityPage::count).sum();
        return (int)
                Math.min(Integer.MAX_VALUE, Math.max(0, Math.max(returned, page.examined()) - 1));
    }

    @Override
    public CompletionStage<List<AccessPolicy>> tablePolicies(
            AccountId accountId, String table, Instant deadline) {
        return store.tablePolicies(accountId, table, deadline);
    }

    @Override
    public CompletionStage<List<AccessPolicy>> readTablePolicies(
            AccountId accountId, String table, Instant deadline) {
        return onTable(accountId, table, () -> store.readTablePolicies(accountId, table, deadline));
    }

    @Override
    public CompletionStage<Void> setTablePolicies(
            AccountId accountId, String table, List<AccessPolicy> policies, Instant deadline) {
        return onTable(
                accountId,
                table,
                () -> store.setTablePolicies(accountId, table, policies, deadline));
    }

    @Override
    public CompletionStage<ServiceProperties> serviceProperties(
            AccountId accountId, Instant deadline) {
        return store.serviceProperties(accountId, deadline);
    }

    @Override
    public CompletionStage<Void> setServiceProperties(
            AccountId accountId, ServiceProperties.Change change, Instant deadline) {
        return within(
                accountId,
                Optional.empty(),
                1,
                () -> store.setServiceProperties(accountId, change, deadline));
    }
}
