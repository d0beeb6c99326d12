package io.parterre.frontend.service;

import io.parterre.directory.AccessPolicy;
import io.parterre.directory.ServiceProperties;
import io.parterre.entity.ByteSink;
import io.parterre.entity.EdmValue;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.EntityPage;
import io.parterre.entity.EntityView;
import io.parterre.entity.Projection;
import io.parterre.entity.Property;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.filter.EntityPredicate;
import io.parterre.filter.Filter;
import io.parterre.frontend.store.EntityInterval;
import io.parterre.frontend.store.EntityPageResult;
import io.parterre.frontend.store.EntityPosition;
import io.parterre.frontend.store.EntityQuery;
import io.parterre.frontend.store.EntityWrite;
import io.parterre.frontend.store.StalenessNote;
import io.parterre.frontend.store.StoredEntity;
import io.parterre.frontend.store.TablePage;
import io.parterre.frontend.store.TableQuery;
import io.parterre.frontend.store.TableStore;
import io.parterre.frontend.store.WriteResult;
import io.parterre.frontend.table.LowerCaseNames;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * One account's tables in sorted maps, for tests of what stands before the cluster. Every write of
 * an entity gets the next tick, so that answers are known beforehand.
 */
@SuppressWarnings("NonApiType") // its rows are sorted, and that is what it is about
final class FakeTableStore implements TableStore {
    private static final Scope SCOPE = Scope.ofTable(new AccountId(1), new ObjectId(7));

    private final TreeMap<String, Table> tables = new TreeMap<>();
    private long nextTicks;

    /** Ends every call from now on, unless empty. */
    Optional<RuntimeException> failure = Optional.empty();

    /** Stored access policies by table in lower case. */
    final Map<String, List<AccessPolicy>> policies = new TreeMap<>();

    /** Settings of the one account. */
    ServiceProperties properties = ServiceProperties.DEFAULT;

    /** How often the settings were read. */
    int propertiesRead;

    /** The deadline of the last call. */
    Instant lastDeadline = Instant.EPOCH;

    /** The last query as it was planned. */
    Optional<EntityQuery> lastQuery = Optional.empty();

    /** Whether nothing can be read at the secondary. */
    boolean failsAtSecondary;

    /** How old what the secondary reads is; empty: nobody knows. */
    Optional<Duration> age = Optional.of(Duration.ZERO);

    FakeTableStore(long firstTicks) {
        this.nextTicks = firstTicks;
    }

    private record Table(String name, TreeMap<EntityPosition, byte[]> rows) {}

    private <T> CompletionStage<T> run(Instant deadline, Supplier<T> action) {
        lastDeadline = deadline;
        if (failure.isPresent()) {
            return CompletableFuture.failedStage(failure.get());
        }
        try {
            return CompletableFuture.completedStage(action.get());
        } catch (StorageException refusal) {
            return CompletableFuture.failedStage(refusal);
        }
    }

    /** This very data, as old as {@link #age} says; what is read and fails has an age too. */
    @Override
    public TableStore secondary(StalenessNote note) {
        return (TableStore)
                Proxy.newProxyInstance(
                        TableStore.class.getClassLoader(),
                        new Class<?>[] {TableStore.class},
                        (proxy, method, arguments) -> {
                            if (failsAtSecondary) {
                                throw new StorageException(ErrorCode.SERVER_BUSY);
                            }
                            note.read(
                                    age.map(known -> OptionalLong.of(known.toMillis()))
                                            .orElse(OptionalLong.empty()));
                            return method.invoke(this, arguments);
                        });
    }

    @Override
    public CompletionStage<Optional<Duration>> secondaryStaleness(
            AccountId accountId, Instant deadline) {
        return CompletableFuture.completedStage(age);
    }

    @Override
    public CompletionStage<Void> createTable(AccountId accountId, String table, Instant deadline) {
        return run(
                deadline,
                () -> {
                    Table created = new Table(table, new TreeMap<>());
                    if (tables.putIfAbsent(lower(table), created) != null) {
                        throw new StorageException(ErrorCode.TABLE_ALREADY_EXISTS);
                    }
                    return null;
                });
    }

    @Override
    public CompletionStage<Void> deleteTable(AccountId accountId, String table, Instant deadline) {
        return run(
                deadline,
                () -> {
                    if (tables.remove(lower(table)) == null) {
                        throw new StorageException(ErrorCode.RESOURCE_NOT_FOUND);
                    }
                    policies.remove(lower(table));
                    return null;
                });
    }

    @Override
    public CompletionStage<Optional<String>> findTable(
            AccountId accountId, String table, Instant deadline) {
        return run(deadline, () -> Optional.ofNullable(tables.get(lower(table))).map(Table::name));
    }

    @Override
    public CompletionStage<TablePage> listTables(
            AccountId accountId, TableQuery query, Instant deadline) {
        return run(
                deadline,
                () -> {
                    List<String> names = new ArrayList<>();
                    for (Map.Entry<String, Table> entry :
                            tables.tailMap(query.fromLowerCase()).entrySet()) {
                        if (matches(query.filter(), entry.getKey())) {
                            if (names.size() == query.top()) {
                                return new TablePage(names, Optional.of(entry.getKey()));
                            }
                            names.add(entry.getValue().name());
                        }
                    }
                    return new TablePage(names, Optional.empty());
                });
    }

    private static boolean matches(Filter filter, String lowerCaseName) {
        byte[] block =
                EntityCodec.encodeBlock(
                        List.of(
                                new Property(
                                        "TableName", new EdmValue.StringValue(lowerCaseName))));
        EntityView view =
                EntityView.of(KeyCodec.entity(SCOPE, "", ""), EntityCodec.encodeValue(0, block));
        return new EntityPredicate(LowerCaseNames.in(filter)).test(view);
    }

    @Override
    public CompletionStage<WriteResult> write(
            AccountId accountId, String table, List<EntityWrite> operations, Instant deadline) {
        return run(
                deadline,
                () -> {
                    TreeMap<EntityPosition, byte[]> rows = rows(table);
                    TreeMap<EntityPosition, byte[]> changed = new TreeMap<>(rows);
                    long ticks = nextTicks;
                    List<Long> timestamps = new ArrayList<>();
                    for (int i = 0; i < operations.size(); i++) {
                        EntityWrite write = operations.get(i);
                        Optional<ErrorCode> refusal = refusal(changed, write);
                        if (refusal.isPresent()) {
                            return new WriteResult.Refused(refusal.get(), i);
                        }
                        boolean delete = write.kind() == EntityWrite.Kind.DELETE;
                        timestamps.add(delete ? 0 : ticks);
                        apply(changed, write, ticks);
                        ticks += delete ? 0 : 1;
                    }
                    nextTicks = ticks;
                    rows.clear();
                    rows.putAll(changed);
                    return new WriteResult.Written(timestamps);
                });
    }

    private static Optional<ErrorCode> refusal(
            TreeMap<EntityPosition, byte[]> rows, EntityWrite write) {
        byte[] stored = rows.get(position(write));
        return switch (write.kind()) {
            case INSERT ->
                    stored == null
                            ? Optional.empty()
                            : Optional.of(ErrorCode.ENTITY_ALREADY_EXISTS);
            case INSERT_OR_REPLACE, INSERT_OR_MERGE -> Optional.empty();
            case UPDATE, MERGE, DELETE -> {
                if (stored == null) {
                    yield Optional.of(ErrorCode.RESOURCE_NOT_FOUND);
                }
                boolean other =
                        write.ifMatchTicks().isPresent()
                                && write.ifMatchTicks().getAsLong()
                                        != EntityCodec.timestampTicks(stored);
                yield other
                        ? Optional.of(ErrorCode.UPDATE_CONDITION_NOT_SATISFIED)
                        : Optional.empty();
            }
        };
    }

    private static void apply(TreeMap<EntityPosition, byte[]> rows, EntityWrite write, long ticks) {
        byte[] stored = rows.get(position(write));
        byte[] block =
                switch (write.kind()) {
                    case INSERT, UPDATE, INSERT_OR_REPLACE, DELETE -> write.block();
                    case MERGE, INSERT_OR_MERGE ->
                            stored == null
                                    ? write.block()
                                    : EntityCodec.mergeBlocks(
                                            EntityCodec.blockOf(stored), write.block());
                };
        if (write.kind() == EntityWrite.Kind.DELETE) {
            rows.remove(position(write));
        } else {
            rows.put(position(write), EntityCodec.encodeValue(ticks, block));
        }
    }

    private static EntityPosition position(EntityWrite write) {
        return new EntityPosition(write.partitionKey(), write.rowKey());
    }

    @Override
    public CompletionStage<Optional<StoredEntity>> read(
            AccountId accountId,
            String table,
            String partitionKey,
            String rowKey,
            Optional<List<String>> select,
            Instant deadline) {
        return run(
                deadline,
                () -> {
                    EntityPosition position = new EntityPosition(partitionKey, rowKey);
                    return Optional.ofNullable(rows(table).get(position))
                            .map(
                                    value ->
                                            new StoredEntity(
                                                    key(position),
                                                    projected(position, value, select)));
                });
    }

    private static byte[] projected(
            EntityPosition position, byte[] value, Optional<List<String>> select) {
        return select.map(Projection::new)
                .map(projection -> projection.apply(EntityView.of(key(position), value)))
                .orElse(value);
    }

    private static Key key(EntityPosition position) {
        return KeyCodec.entity(SCOPE, position.partitionKey(), position.rowKey());
    }

    @Override
    public CompletionStage<EntityPageResult> query(
            AccountId accountId, String table, EntityQuery query, Instant deadline) {
        lastQuery = Optional.of(query);
        return run(deadline, () -> page(rows(table), query));
    }

    @Override
    public CompletionStage<List<AccessPolicy>> tablePolicies(
            AccountId accountId, String table, Instant deadline) {
        return run(
                deadline,
                () -> {
                    rows(table);
                    return policies.getOrDefault(lower(table), List.of());
                });
    }

    @Override
    public CompletionStage<List<AccessPolicy>> readTablePolicies(
            AccountId accountId, String table, Instant deadline) {
        return tablePolicies(accountId, table, deadline);
    }

    @Override
    public CompletionStage<Void> setTablePolicies(
            AccountId accountId, String table, List<AccessPolicy> given, Instant deadline) {
        return run(
                deadline,
                () -> {
                    rows(table);
                    policies.put(lower(table), given);
                    return null;
                });
    }

    @Override
    public CompletionStage<ServiceProperties> serviceProperties(
            AccountId accountId, Instant deadline) {
        propertiesRead++;
        return run(deadline, () -> properties);
    }

    @Override
    public CompletionStage<Void> setServiceProperties(
            AccountId accountId, ServiceProperties.Change change, Instant deadline) {
        return run(
                deadline,
                () -> {
                    properties = properties.with(change);
                    return null;
                });
    }

    private static EntityPageResult page(TreeMap<EntityPosition, byte[]> rows, EntityQuery query) {
        EntityPredicate predicate = new EntityPredicate(query.filter());
        ByteSink page = new ByteSink(1024);
        int count = 0;
        for (Map.Entry<EntityPosition, byte[]> row : rows.tailMap(query.from()).entrySet()) {
            EntityView view = EntityView.of(key(row.getKey()), row.getValue());
            boolean inside = query.intervals().stream().anyMatch(each -> holds(each, row.getKey()));
            if (inside && predicate.test(view)) {
                if (count == query.top()) {
                    return new EntityPageResult(
                            List.of(page.toBytes()),
                            EntityPage.count(page.toBytes()),
                            Optional.of(row.getKey()));
                }
                byte[] value = projected(row.getKey(), row.getValue(), query.select());
                EntityView.of(key(row.getKey()), value).copyTo(page);
                count++;
            }
        }
        return new EntityPageResult(
                List.of(page.toBytes()), EntityPage.count(page.toBytes()), Optional.empty());
    }

    private static boolean holds(EntityInterval interval, EntityPosition position) {
        return interval.from().compareTo(position) <= 0
                && interval.toExclusive().map(to -> position.compareTo(to) < 0).orElse(true);
    }

    private TreeMap<EntityPosition, byte[]> rows(String table) {
        Table found = tables.get(lower(table));
        if (found == null) {
            throw new StorageException(ErrorCode.TABLE_NOT_FOUND);
        }
        return found.rows();
    }

    private static String lower(String table) {
        return table.toLowerCase(Locale.ROOT);
    }
}
