package io.parterre.frontend.store;

import io.parterre.directory.AccessPolicy;
import io.parterre.directory.ServiceProperties;
import io.parterre.key.AccountId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The cluster as the protocols see it. Never blocks; safe for any thread.
 *
 * <p>Every call ends by its deadline. Refusals that a method names, {@code SERVER_BUSY} and {@code
 * OPERATION_TIMED_OUT} complete the stage with a {@link io.parterre.error.StorageException}. Table
 * names compare without case.
 */
public interface TableStore {
    /**
     * The same cluster where its reads are served by any member of a range, the leader's followers
     * first. They may lack what was acknowledged lately, a table included, and need no quorum. The
     * rest, {@link #tablePolicies} included, is as here.
     *
     * @param note is told how old what is read may be
     */
    TableStore secondary(StalenessNote note);

    /**
     * How old what {@link #secondary} reads of an account is, at worst, as far as its members tell;
     * empty: some of it cannot be read, or not with a known age. Never fails.
     */
    CompletionStage<Optional<Duration>> secondaryStaleness(AccountId accountId, Instant deadline);

    /** Refused: {@code TABLE_ALREADY_EXISTS}. */
    CompletionStage<Void> createTable(AccountId accountId, String table, Instant deadline);

    /**
     * Once it completes, nobody sees the table or an entity of it. Refused: {@code
     * RESOURCE_NOT_FOUND}.
     */
    CompletionStage<Void> deleteTable(AccountId accountId, String table, Instant deadline);

    /** The table's name in the case of its creation; empty if there is no such table. */
    CompletionStage<Optional<String>> findTable(
            AccountId accountId, String table, Instant deadline);

    CompletionStage<TablePage> listTables(AccountId accountId, TableQuery query, Instant deadline);

    /**
     * All operations or none, in order; they share a partition and no entity occurs twice. Refused:
     * {@code TABLE_NOT_FOUND}.
     */
    CompletionStage<WriteResult> write(
            AccountId accountId, String table, List<EntityWrite> operations, Instant deadline);

    /**
     * Linearizable. Empty if there is no such entity. Refused: {@code TABLE_NOT_FOUND}.
     *
     * @param select custom properties to return; empty: all of them
     */
    CompletionStage<Optional<StoredEntity>> read(
            AccountId accountId,
            String table,
            String partitionKey,
            String rowKey,
            Optional<List<String>> select,
            Instant deadline);

    /** One page. Refused: {@code TABLE_NOT_FOUND}. */
    CompletionStage<EntityPageResult> query(
            AccountId accountId, String table, EntityQuery query, Instant deadline);

    /**
     * The stored access policies of a table, up to 30 seconds old. Refused: {@code
     * TABLE_NOT_FOUND}.
     */
    CompletionStage<List<AccessPolicy>> tablePolicies(
            AccountId accountId, String table, Instant deadline);

    /** The same, linearizable. Refused: {@code TABLE_NOT_FOUND}. */
    CompletionStage<List<AccessPolicy>> readTablePolicies(
            AccountId accountId, String table, Instant deadline);

    /**
     * Replaces the stored access policies of a table; once it completes, {@link #tablePolicies} of
     * this store tells the new ones. Refused: {@code TABLE_NOT_FOUND}.
     */
    CompletionStage<Void> setTablePolicies(
            AccountId accountId, String table, List<AccessPolicy> policies, Instant deadline);

    /** Settings of the account's table service. Linearizable. */
    CompletionStage<ServiceProperties> serviceProperties(AccountId accountId, Instant deadline);

    CompletionStage<Void> setServiceProperties(
            AccountId accountId, ServiceProperties.Change change, Instant deadline);
}
