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
 * The cluster as the protocols use it. Never blocks; thread-safe.
 *
 * <p>Every call ends by its deadline. The refusals that a method names, {@code SERVER_BUSY} and
 * {@code OPERATION_TIMED_OUT} complete the stage with a {@link io.parterre.error.StorageException}.
 * Table names are compared without case.
 */
public interface TableStore {
    /**
     * Returns the same cluster with reads served by any member of a range, the leader's followers
     * first. Such reads may miss recently acknowledged writes, the creation of a table included,
     * and need no quorum. All else, {@link #tablePolicies} included, is as here.
     *
     * @param note receives the staleness of the reads
     */
    TableStore secondary(StalenessNote note);

    /**
     * Returns the greatest staleness of an account's data read by {@link #secondary}, as far as
     * members state it; empty if some of the data cannot be read, or only with unknown staleness.
     * Never fails.
     */
    CompletionStage<Optional<Duration>> secondaryStaleness(AccountId accountId, Instant deadline);

    /** Creates a table. Refused: {@code TABLE_ALREADY_EXISTS}. */
    CompletionStage<Void> createTable(AccountId accountId, String table, Instant deadline);

    /**
     * Deletes a table. Once the stage completes, no one sees the table or an entity of it. Refused:
     * {@code RESOURCE_NOT_FOUND}.
     */
    CompletionStage<Void> deleteTable(AccountId accountId, String table, Instant deadline);

    /** Returns the table's name in the case of its creation; empty if there is no such table. */
    CompletionStage<Optional<String>> findTable(
            AccountId accountId, String table, Instant deadline);

    CompletionStage<TablePage> listTables(AccountId accountId, TableQuery query, Instant deadline);

    /**
     * Executes all operations or none, in order; they share a partition and no entity occurs twice.
     * Refused: {@code TABLE_NOT_FOUND}.
     */
    CompletionStage<WriteResult> write(
            AccountId accountId, String table, List<EntityWrite> operations, Instant deadline);

    /**
     * Reads an entity; linearizable. Empty if there is no such entity. Refused: {@code
     * TABLE_NOT_FOUND}.
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

    /** Returns one page of a query. Refused: {@code TABLE_NOT_FOUND}. */
    CompletionStage<EntityPageResult> query(
            AccountId accountId, String table, EntityQuery query, Instant deadline);

    /**
     * Returns the stored access policies of a table, up to 30 seconds old. Refused: {@code
     * TABLE_NOT_FOUND}.
     */
    CompletionStage<List<AccessPolicy>> tablePolicies(
            AccountId accountId, String table, Instant deadline);

    /**
     * Returns the stored access policies of a table; linearizable. Refused: {@code
     * TABLE_NOT_FOUND}.
     */
    CompletionStage<List<AccessPolicy>> readTablePolicies(
            AccountId accountId, String table, Instant deadline);

    /**
     * Replaces the stored access policies of a table. Once the stage completes, {@link
     * #tablePolicies} of this store returns the new ones. Refused: {@code TABLE_NOT_FOUND}.
     */
    CompletionStage<Void> setTablePolicies(
            AccountId accountId, String table, List<AccessPolicy> policies, Instant deadline);

    /** Returns the settings of the account's table service; linearizable. */
    CompletionStage<ServiceProperties> serviceProperties(AccountId accountId, Instant deadline);

    CompletionStage<Void> setServiceProperties(
            AccountId accountId, ServiceProperties.Change change, Instant deadline);
}
