package io.parterre.frontend.client;

import io.parterre.concurrent.Stages;
import io.parterre.directory.AccessPolicy;
import io.parterre.directory.ServiceProperties;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.client.TableCache.Name;
import io.parterre.frontend.store.EntityPageResult;
import io.parterre.frontend.store.EntityQuery;
import io.parterre.frontend.store.EntityWrite;
import io.parterre.frontend.store.StalenessNote;
import io.parterre.frontend.store.StoredEntity;
import io.parterre.frontend.store.TablePage;
import io.parterre.frontend.store.TableQuery;
import io.parterre.frontend.store.TableStore;
import io.parterre.frontend.store.WriteResult;
import io.parterre.frontend.table.EntityLimits;
import io.parterre.frontend.table.LowerCaseNames;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.Projection;
import io.parterre.proto.range.ReadRow;
import io.parterre.proto.range.Row;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * The cluster as a table store: table names become scopes, operations become requests to ranges.
 * Thread-safe; nothing blocks.
 *
 * <p>As usual for stages, a stage composed of others completes with its {@link StorageException}
 * inside a {@link java.util.concurrent.CompletionException}.
 */
final class ClusterTableStore implements TableStore {
    /** Bytes of a null in an answer besides its name: quotes, colon, the literal, comma. */
    private static final int NULL_BYTES = 8;

    /** Bytes of an escaped character beyond ASCII. */
    private static final int ESCAPE_BYTES = 6;

    private final RangeCalls calls;
    private final Commands commands;
    private final Tables tables;
    private final Tables followersTables;

    /** Where this store reads: at leaders or at any member. */
    private final RangeReads reads;

    private final Tables readTables;
    private final TableChanges changes;
    private final Settings settings;
    private final EntityLimits limits;
    private final InstantSource clock;
    private final LongSupplier nanos;

    ClusterTableStore(
            RangeCalls calls,
            Commands commands,
            ObjectIds objectIds,
            EntityLimits limits,
            InstantSource clock,
            LongSupplier nanos) {
        this.calls = calls;
        this.commands = commands;
        this.tables = new Tables(ErrorCode.SERVER_BUSY, calls.config(), nanos);
        // A follower of the directory's range may lag behind the members that know that the table
        // is deleted.
        this.followersTables = new Tables(ErrorCode.TABLE_NOT_FOUND, calls.config(), nanos);
        this.reads = calls;
        this.readTables = tables;
        this.changes = new TableChanges(commands, tables, objectIds);
        this.settings = new Settings(calls, commands, tables);
        this.limits = limits;
        this.clock = clock;
        this.nanos = nanos;
    }

    /** Creates a store that equals {@code primary} but reads elsewhere. */
    private ClusterTableStore(ClusterTableStore primary, RangeReads reads, Tables readTables) {
        this.calls = primary.calls;
        this.commands = primary.commands;
        this.tables = primary.tables;
        this.followersTables = primary.followersTables;
        this.reads = reads;
        this.readTables = readTables;
        this.changes = primary.changes;
        this.settings = primary.settings;
        this.limits = primary.limits;
        this.clock = primary.clock;
        this.nanos = primary.nanos;
    }

    @Override
    public TableStore secondary(StalenessNote note) {
        return new ClusterTableStore(this, new FollowerReads(calls, note), followersTables);
    }

    @Override
    public CompletionStage<Optional<Duration>> secondaryStaleness(
            AccountId accountId, Instant deadline) {
        return SecondaryAge.of(calls, accountId, within(deadline));
    }

    @Override
    public CompletionStage<Void> createTable(AccountId accountId, String table, Instant deadline) {
        return unfenced(changes.create(name(accountId, table), table, within(deadline)));
    }

    @Override
    public CompletionStage<Void> deleteTable(AccountId accountId, String table, Instant deadline) {
        return unfenced(changes.delete(name(accountId, table), within(deadline)));
    }

    @Override
    public CompletionStage<Optional<String>> findTable(
            AccountId accountId, String table, Instant deadline) {
        return unfenced(
                readTables
                        .read(reads, name(accountId, table), within(deadline))
                        .thenApply(found -> found.map(record -> record.name())));
    }

    @Override
    public CompletionStage<TablePage> listTables(
            AccountId accountId, TableQuery query, Instant deadline) {
        Deadline end = within(deadline);
        return unfenced(new TableListing(reads, accountId, query, pageEnd(end), end).run());
    }

    @Override
    public CompletionStage<WriteResult> write(
            AccountId accountId, String table, List<EntityWrite> operations, Instant deadline) {
        Deadline end = within(deadline);
        return tables.with(
                calls,
                name(accountId, table),
                end,
                found -> {
                    Scope scope = Scope.ofTable(accountId, found.tableId());
                    Command.Builder command =
                            Command.newBuilder()
                                    .setWriteEntities(
                                            EntityCommands.command(scope, operations, limits));
                    Key key = EntityCommands.key(scope, operations.get(0));
                    return commands.send(key, end, command)
                            .thenApply(done -> EntityCommands.result(done.outcome()));
                });
    }

    @Override
    public CompletionStage<Optional<StoredEntity>> read(
            AccountId accountId,
            String table,
            String partitionKey,
            String rowKey,
            Optional<List<String>> select,
            Instant deadline) {
        Deadline end = within(deadline);
        return readTables.with(
                reads,
                name(accountId, table),
                end,
                found -> {
                    Key key = entityKey(accountId, found.tableId(), partitionKey, rowKey);
                    ReadRow.Builder row = ReadRow.newBuilder().setKey(KeyMessages.bytes(key));
                    select.ifPresent(
                            names -> row.setProjection(Projection.newBuilder().addAllNames(names)));
                    ReadRow body = row.build();
                    return reads.read(key, end, (request, range) -> request.setReadRow(body))
                            .thenApply(answer -> stored(key, answer));
                });
    }

    private static Key entityKey(
            AccountId accountId, ObjectId tableId, String partitionKey, String rowKey) {
        return KeyCodec.entity(Scope.ofTable(accountId, tableId), partitionKey, rowKey);
    }

    private static Optional<StoredEntity> stored(Key key, RangeAnswer answer) {
        if (!answer.response().hasRow()) {
            throw new StorageException(
                    ErrorCode.INTERNAL_ERROR,
                    new IllegalStateException(
                            "answer: " + answer.response().getBodyCase() + " (expected: row)"));
        }
        Row row = answer.response().getRow();
        return row.hasValue()
                ? Optional.of(new StoredEntity(key, row.getValue().toByteArray()))
                : Optional.empty();
    }

    @Override
    public CompletionStage<EntityPageResult> query(
            AccountId accountId, String table, EntityQuery query, Instant deadline) {
        Deadline end = within(deadline);
        PageLimits limits = new PageLimits(rowsMax(query), pageEnd(end));
        return readTables.with(
                reads,
                name(accountId, table),
                end,
                found ->
                        new EntityScan(
                                        reads,
                                        Scope.ofTable(accountId, found.tableId()),
                                        query,
                                        limits.budget(calls.config()),
                                        end)
                                .run());
    }

    @Override
    public CompletionStage<List<AccessPolicy>> tablePolicies(
            AccountId accountId, String table, Instant deadline) {
        return tables.with(
                calls,
                name(accountId, table),
                within(deadline),
                found -> CompletableFuture.completedFuture(found.policies()));
    }

    @Override
    public CompletionStage<List<AccessPolicy>> readTablePolicies(
            AccountId accountId, String table, Instant deadline) {
        return unfenced(
                readTables
                        .read(reads, name(accountId, table), within(deadline))
                        .thenApply(found -> found.orElseThrow(Tables::none).policies()));
    }

    @Override
    public CompletionStage<Void> setTablePolicies(
            AccountId accountId, String table, List<AccessPolicy> policies, Instant deadline) {
        return unfenced(settings.setPolicies(name(accountId, table), policies, within(deadline)));
    }

    @Override
    public CompletionStage<ServiceProperties> serviceProperties(
            AccountId accountId, Instant deadline) {
        return unfenced(Settings.properties(reads, accountId, within(deadline)));
    }

    @Override
    public CompletionStage<Void> setServiceProperties(
            AccountId accountId, ServiceProperties.Change change, Instant deadline) {
        return unfenced(settings.setProperties(accountId, change, within(deadline)));
    }

    /**
     * Only the scopes of tables are ever fenced. A fence elsewhere is a fault and no answer for a
     * client.
     */
    private static <T> CompletableFuture<T> unfenced(CompletableFuture<T> stage) {
        return stage.exceptionally(
                failure -> {
                    Throwable cause = Stages.cause(failure);
                    throw cause instanceof StorageException known
                            ? known
                            : new StorageException(ErrorCode.INTERNAL_ERROR, cause);
                });
    }

    /** The limits of a page, from which each start of the page makes a new budget. */
    private record PageLimits(int top, Deadline end) {
        PageBudget budget(ClusterClientConfig config) {
            return new PageBudget(top, config.pageBytesMax(), config.pageRowsExaminedMax(), end);
        }
    }

    /**
     * Returns the largest number of rows at which a page is no longer than others even if all
     * entities lack all selected properties: such an entity is answered with a null for each name.
     */
    private int rowsMax(EntityQuery query) {
        long bytesEach = query.select().stream().mapToLong(ClusterTableStore::nullsBytes).sum();
        long rows = calls.config().pageBytesMax() / Math.max(1, bytesEach);
        return (int) Math.max(1, Math.min(query.top(), rows));
    }

    /** Returns the bytes of the nulls of an entity that has none of the names, escaped. */
    private static long nullsBytes(List<String> names) {
        return names.stream()
                .mapToLong(
                        name ->
                                NULL_BYTES
                                        + name.chars()
                                                .map(unit -> unit < 0x80 ? 1 : ESCAPE_BYTES)
                                                .sum())
                .sum();
    }

    /** Returns when a page ends: early enough that a client with little time still gets it. */
    private Deadline pageEnd(Deadline deadline) {
        Duration most = calls.config().pageTimeMax();
        long leftNanos = Math.min(most.toNanos(), deadline.leftNanos() / 4 * 3);
        return new Deadline(nanos.getAsLong() + leftNanos, nanos);
    }

    private Deadline within(Instant deadline) {
        return Deadline.of(deadline, clock, nanos);
    }

    private static Name name(AccountId accountId, String table) {
        return new Name(accountId, LowerCaseNames.of(table));
    }
}
