package io.parterre.frontend.client;

import static io.parterre.frontend.client.ClusterFixture.ACCOUNT;
import static io.parterre.frontend.client.ClusterFixture.ALL;
import static io.parterre.frontend.client.ClusterFixture.SCOPE;
import static io.parterre.frontend.client.ClusterFixture.TABLE_ID;
import static io.parterre.frontend.client.ClusterFixture.assertCode;
import static io.parterre.frontend.client.ClusterFixture.get;
import static io.parterre.frontend.client.ClusterFixture.insert;
import static io.parterre.frontend.client.ClusterFixture.range;
import static io.parterre.frontend.client.ClusterFixture.soon;
import static io.parterre.frontend.client.ClusterFixture.splitPoint;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.directory.TableRecord;
import io.parterre.directory.TableRecordCodec;
import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.entity.EdmValue;
import io.parterre.error.ErrorCode;
import io.parterre.filter.Filter;
import io.parterre.filter.Operator;
import io.parterre.frontend.auth.AccountsConfig;
import io.parterre.frontend.observe.Tracing;
import io.parterre.frontend.store.StoredEntity;
import io.parterre.frontend.store.TablePage;
import io.parterre.frontend.store.TableQuery;
import io.parterre.frontend.store.WriteResult;
import io.parterre.frontend.table.EntityLimits;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.range.RangeRequest;
import io.parterre.range.RangeDescriptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tables: created, found, listed, deleted, and out of date in the cache. */
final class TablesTest {
    private static final Key ROW = KeyCodec.tableDirectoryRow(ACCOUNT, "people");

    private static Optional<StoredEntity> read(ClusterFixture fixture, String pk, String rk)
            throws Exception {
        return get(fixture.tables.read(ACCOUNT, "PEOPLE", pk, rk, Optional.empty(), soon()));
    }

    private static TableRecord stored(ClusterFixture fixture, Key row) {
        return TableRecordCodec.decode(fixture.store.get(row).orElseThrow());
    }

    private static long directoryReads(FakeNode node) {
        return node.requests.stream()
                .filter(RangeRequest::hasReadRow)
                .filter(request -> request.getReadRow().getKey().byteAt(0) == 1)
                .count();
    }

    @Test
    void createdTableGetsUniqueIdAndKeepsNameCase() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(fixture.tables.createTable(ACCOUNT, "Orders", soon()));
            get(fixture.tables.createTable(ACCOUNT, "Bills", soon()));
            assertThat(stored(fixture, KeyCodec.tableDirectoryRow(ACCOUNT, "orders")))
                    .isEqualTo(
                            new TableRecord("Orders", new ObjectId(100), TableRecord.State.LIVE));
            assertThat(stored(fixture, KeyCodec.tableDirectoryRow(ACCOUNT, "bills")).tableId())
                    .isEqualTo(new ObjectId(101));
            assertThat(fixture.manager.leases).hasValue(1);
            assertThat(get(fixture.tables.findTable(ACCOUNT, "oRDERS", soon()))).contains("Orders");
            assertCode(
                    fixture.tables.createTable(ACCOUNT, "ORDERS", soon()),
                    ErrorCode.TABLE_ALREADY_EXISTS);
        }
    }

    @Test
    void newIdBlockIsLeased_whenPreviousIsExhausted() throws Exception {
        UnaryOperator<ClusterClientConfig> two = config -> Configs.withObjectIdsPerLease(config, 2);
        try (ClusterFixture fixture =
                new ClusterFixture(two, prepared -> {}, () -> Runnable::run)) {
            for (int i = 0; i < 5; i++) {
                get(fixture.tables.createTable(ACCOUNT, "t" + i, soon()));
            }
            assertThat(fixture.manager.leases).hasValue(3);
            assertThat(stored(fixture, KeyCodec.tableDirectoryRow(ACCOUNT, "t4")).tableId())
                    .isEqualTo(new ObjectId(104));
        }
    }

    @Test
    void createTableFailsAsBusy_whenNoManagerLeasesIds() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(fixture.client.ready());
            fixture.manager.stepsDown(Optional.empty());
            assertCode(
                    fixture.tables.createTable(
                            ACCOUNT, "orders", ClusterFixture.in(Duration.ofMillis(300))),
                    ErrorCode.SERVER_BUSY);
            // What needs no manager goes on.
            assertThat(read(fixture, "x", "1")).isEmpty();
            fixture.manager.leadsAgain();
            get(fixture.tables.createTable(ACCOUNT, "orders", soon()));
        }
    }

    @Test
    void tableIsNotFound_whenMissingOrBeingDeleted() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            assertThat(get(fixture.tables.findTable(ACCOUNT, "none", soon()))).isEmpty();
            assertThat(get(fixture.tables.findTable(new AccountId(8), "people", soon()))).isEmpty();
            assertCode(
                    fixture.tables.read(ACCOUNT, "none", "x", "1", Optional.empty(), soon()),
                    ErrorCode.TABLE_NOT_FOUND);
            assertCode(
                    fixture.tables.write(ACCOUNT, "none", List.of(insert("x", "1")), soon()),
                    ErrorCode.TABLE_NOT_FOUND);
            fixture.store.put(
                    KeyCodec.tableDirectoryRow(ACCOUNT, "going"),
                    TableRecordCodec.encode(
                            new TableRecord(
                                    "going", new ObjectId(60), TableRecord.State.DELETING)));
            assertThat(get(fixture.tables.findTable(ACCOUNT, "going", soon()))).isEmpty();
            assertCode(
                    fixture.tables.read(ACCOUNT, "going", "x", "1", Optional.empty(), soon()),
                    ErrorCode.TABLE_NOT_FOUND);
        }
    }

    @Test
    void foundTableIsCachedAndMissingTableIsNot() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            for (int i = 0; i < 5; i++) {
                read(fixture, "x", "1");
            }
            assertThat(directoryReads(fixture.a)).isEqualTo(1);
            assertCode(
                    fixture.tables.read(ACCOUNT, "new", "x", "1", Optional.empty(), soon()),
                    ErrorCode.TABLE_NOT_FOUND);
            fixture.store.put(
                    KeyCodec.tableDirectoryRow(ACCOUNT, "new"),
                    TableRecordCodec.encode(
                            new TableRecord("new", new ObjectId(61), TableRecord.State.LIVE)));
            assertThat(get(fixture.tables.read(ACCOUNT, "new", "x", "1", Optional.empty(), soon())))
                    .isEmpty();
        }
    }

    @Test
    void tableRecordIsReadAgain_whenCacheEntryExpires() throws Exception {
        UnaryOperator<ClusterClientConfig> forgetful =
                config -> Configs.withTableAgeMax(config, Duration.ofNanos(1));
        try (ClusterFixture fixture =
                new ClusterFixture(forgetful, prepared -> {}, () -> Runnable::run)) {
            for (int i = 0; i < 5; i++) {
                read(fixture, "x", "1");
            }
            assertThat(directoryReads(fixture.a)).isEqualTo(5);
        }
    }

    @Test
    void deleteTableFencesEveryRange_beforeNameIsFreed() throws Exception {
        RangeDescriptor first = range(1, new KeyRange(Key.FIRST, splitPoint("g")), 2, "a");
        RangeDescriptor second = range(2, new KeyRange(splitPoint("g"), splitPoint("p")), 1, "b");
        RangeDescriptor third = range(3, new KeyRange(splitPoint("p"), Key.LAST), 1, "c");
        try (ClusterFixture fixture =
                ClusterFixture.prepared(
                        prepared -> {
                            prepared.manager.tells(
                                    FakeManager.map(2, prepared.nodes(), first, second, third));
                            prepared.a.leads(first);
                            prepared.b.leads(second);
                            prepared.c.leads(third);
                        })) {
            fixture.store("a", "1");
            fixture.store("h", "1");
            fixture.store("z", "1");
            get(fixture.tables.deleteTable(ACCOUNT, "People", soon()));
            for (RangeDescriptor range : List.of(first, second, third)) {
                assertThat(fixture.store.isFenced(range, KeyCodec.scope(SCOPE))).isTrue();
            }
            assertThat(fixture.store.get(ROW)).isEmpty();
            assertThat(fixture.a.requests)
                    .extracting(request -> request.getCommand().getBodyCase().name())
                    .containsExactly("BEGIN_DELETE_TABLE", "FENCE_SCOPE", "FINISH_DELETE_TABLE");
            assertCode(
                    fixture.tables.deleteTable(ACCOUNT, "People", soon()),
                    ErrorCode.RESOURCE_NOT_FOUND);
        }
    }

    @Test
    void deleteTableFencesParentAndChild_whenRangeMapIsStale() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            read(fixture, "x", "1");
            RangeDescriptor parent = range(1, new KeyRange(Key.FIRST, splitPoint("m")), 2, "a");
            RangeDescriptor child = range(2, new KeyRange(splitPoint("m"), Key.LAST), 1, "a");
            fixture.a.leads(parent, child);
            get(fixture.tables.deleteTable(ACCOUNT, "people", soon()));
            assertThat(fixture.store.isFenced(parent, KeyCodec.scope(SCOPE))).isTrue();
            assertThat(fixture.store.isFenced(child, KeyCodec.scope(SCOPE))).isTrue();
            assertThat(fixture.setbacks).containsExactly("stale_range");
        }
    }

    @Test
    void deleteTableFencesChildToo_whenRangeSplitsBeforeFence() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            read(fixture, "x", "1");
            RangeDescriptor parent = range(1, new KeyRange(Key.FIRST, splitPoint("m")), 2, "a");
            RangeDescriptor child = range(2, new KeyRange(splitPoint("m"), Key.LAST), 2, "a");
            fixture.a.servesNext().splitsBeforeItServesNext(parent, child);
            get(fixture.tables.deleteTable(ACCOUNT, "people", soon()));
            assertThat(fixture.store.isFenced(parent, KeyCodec.scope(SCOPE))).isTrue();
            assertThat(fixture.store.isFenced(child, KeyCodec.scope(SCOPE))).isTrue();
        }
    }

    @Test
    void deleteTableFinishesDeletion_whenAnotherCallerBeganIt() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            TableRecord half = new TableRecord("People", TABLE_ID, TableRecord.State.DELETING);
            fixture.store.put(ROW, TableRecordCodec.encode(half));
            get(fixture.tables.deleteTable(ACCOUNT, "people", soon()));
            assertThat(fixture.store.get(ROW)).isEmpty();
            assertThat(fixture.store.isFenced(ALL, KeyCodec.scope(SCOPE))).isTrue();
        }
    }

    @Test
    void createTableFinishesDeletionFirst_whenNameIsBeingDeleted() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            TableRecord half = new TableRecord("People", TABLE_ID, TableRecord.State.DELETING);
            fixture.store.put(ROW, TableRecordCodec.encode(half));
            fixture.store("x", "1");
            get(fixture.tables.createTable(ACCOUNT, "PEOPLE", soon()));
            assertThat(stored(fixture, ROW))
                    .isEqualTo(
                            new TableRecord("PEOPLE", new ObjectId(100), TableRecord.State.LIVE));
            assertThat(fixture.store.isFenced(ALL, KeyCodec.scope(SCOPE))).isTrue();
            assertThat(read(fixture, "x", "1")).isEmpty();
        }
    }

    @Test
    void writeUsesNewTable_whenCachedTableWasRecreatedElsewhere() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture();
                ClusterClient other = second(fixture)) {
            get(fixture.tables.write(ACCOUNT, "people", List.of(insert("x", "old")), soon()));
            get(other.tables().deleteTable(ACCOUNT, "people", soon()));
            get(other.tables().createTable(ACCOUNT, "people", soon()));
            assertThat(
                            get(
                                    fixture.tables.write(
                                            ACCOUNT,
                                            "people",
                                            List.of(insert("x", "new")),
                                            soon())))
                    .isInstanceOf(WriteResult.Written.class);
            assertThat(read(fixture, "x", "old")).isEmpty();
            assertThat(read(fixture, "x", "new")).isPresent();
            ObjectId newId = stored(fixture, ROW).tableId();
            Key written = KeyCodec.entity(Scope.ofTable(ACCOUNT, newId), "x", "new");
            assertThat(fixture.store.get(written)).isPresent();
            assertThat(fixture.setbacks).containsExactly("scope_fenced");
        }
    }

    @Test
    void readFailsWithTableNotFound_whenTableWasDeletedElsewhere() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture();
                ClusterClient other = second(fixture)) {
            read(fixture, "x", "1");
            get(other.tables().deleteTable(ACCOUNT, "people", soon()));
            assertCode(
                    fixture.tables.read(ACCOUNT, "people", "x", "1", Optional.empty(), soon()),
                    ErrorCode.TABLE_NOT_FOUND);
        }
    }

    private static ClusterClient second(ClusterFixture fixture) {
        return ClusterClient.start(
                new FrontEndName("second", "", ""),
                ClusterClientConfig.DEFAULT,
                EntityLimits.OF_THE_SERVICE,
                AccountsConfig.DEFAULT,
                new ManagerEndpoints(List.of(fixture.manager.endpoint())),
                ClusterFixture::open,
                () -> Runnable::run,
                reason -> {},
                Tracing.OFF.tracer(),
                java.time.InstantSource.system(),
                System::nanoTime,
                new java.util.Random(2));
    }

    private static TablePage list(ClusterFixture fixture, Filter filter, int top, String from)
            throws Exception {
        return get(fixture.tables.listTables(ACCOUNT, new TableQuery(filter, top, from), soon()));
    }

    private static ClusterFixture withTables(String... names) throws Exception {
        ClusterFixture fixture = new ClusterFixture();
        long id = 200;
        for (String name : names) {
            fixture.store.put(
                    KeyCodec.tableDirectoryRow(ACCOUNT, name.toLowerCase(java.util.Locale.ROOT)),
                    TableRecordCodec.encode(
                            new TableRecord(name, new ObjectId(id++), TableRecord.State.LIVE)));
        }
        fixture.store.put(
                KeyCodec.tableDirectoryRow(ACCOUNT, "deleting"),
                TableRecordCodec.encode(
                        new TableRecord(
                                "deleting", new ObjectId(id++), TableRecord.State.DELETING)));
        fixture.store.put(
                KeyCodec.tableDirectoryRow(new AccountId(8), "foreign"),
                TableRecordCodec.encode(
                        new TableRecord("foreign", new ObjectId(id), TableRecord.State.LIVE)));
        return fixture;
    }

    @Test
    void listTablesReturnsOwnLiveTablesInLowerCaseOrder() throws Exception {
        try (ClusterFixture fixture = withTables("b", "C", "A")) {
            assertThat(list(fixture, Filter.Constant.ALL, 1_000, ""))
                    .isEqualTo(new TablePage(List.of("A", "b", "C", "People"), Optional.empty()));
        }
    }

    @Test
    void tablePageTokenIsNextName_whenMoreTablesFollow() throws Exception {
        try (ClusterFixture fixture = withTables("A", "B", "D", "X")) {
            assertThat(list(fixture, Filter.Constant.ALL, 2, ""))
                    .isEqualTo(new TablePage(List.of("A", "B"), Optional.of("d")));
            // "deleting" lies between, and is no table any more.
            assertThat(list(fixture, Filter.Constant.ALL, 1, "d"))
                    .isEqualTo(new TablePage(List.of("D"), Optional.of("people")));
            assertThat(list(fixture, Filter.Constant.ALL, 2, "people"))
                    .isEqualTo(new TablePage(List.of("People", "X"), Optional.empty()));
        }
    }

    @Test
    void tableNameFilterIgnoresCase() throws Exception {
        try (ClusterFixture fixture = withTables("Alpha", "beta", "Gamma", "delta")) {
            Filter range =
                    new Filter.And(
                            List.of(
                                    compare(Operator.GE, "BETA"),
                                    new Filter.Not(compare(Operator.GE, "H"))));
            assertThat(list(fixture, range, 1_000, ""))
                    .isEqualTo(new TablePage(List.of("beta", "delta", "Gamma"), Optional.empty()));
            assertThat(list(fixture, range, 1, ""))
                    .isEqualTo(new TablePage(List.of("beta"), Optional.of("delta")));
            assertThat(list(fixture, compare(Operator.EQ, "aLPHA"), 1, ""))
                    .isEqualTo(new TablePage(List.of("Alpha"), Optional.empty()));
        }
    }

    private static Filter compare(Operator operator, String name) {
        return new Filter.Comparison("TableName", operator, new EdmValue.StringValue(name));
    }

    @Test
    void listTablesReturnsAll_whenDirectorySpansRanges() throws Exception {
        Key splitPoint = KeyCodec.partition(Scope.ofTableDirectory(ACCOUNT), "t5");
        RangeDescriptor left = range(1, new KeyRange(Key.FIRST, splitPoint), 2, "a");
        RangeDescriptor right = range(2, new KeyRange(splitPoint, Key.LAST), 1, "b");
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            names.add("T" + i);
        }
        try (ClusterFixture fixture = withTables(names.toArray(String[]::new))) {
            fixture.a.leads(left);
            fixture.b.leads(right);
            fixture.manager.pushes(FakeManager.map(2, fixture.nodes(), left, right));
            assertThat(list(fixture, compare(Operator.NE, "people"), 10, ""))
                    .isEqualTo(new TablePage(names, Optional.empty()));
            assertThat(list(fixture, Filter.Constant.ALL, 5, "t0"))
                    .isEqualTo(new TablePage(names.subList(0, 5), Optional.of("t5")));
        }
    }

    private static String nameOf(int number) {
        return "Tab%05d".formatted(number);
    }

    /** Tables in the directory, {@code tab00000} and on, over ten ranges. */
    private static ClusterFixture withManyTables(int count) throws Exception {
        String[] names = new String[count];
        for (int i = 0; i < count; i++) {
            names[i] = nameOf(i);
        }
        ClusterFixture fixture = withTables(names);
        List<RangeDescriptor> ranges = new ArrayList<>();
        Key start = Key.FIRST;
        for (int i = 1; i <= 10; i++) {
            Key end =
                    i == 10
                            ? Key.LAST
                            : KeyCodec.partition(
                                    Scope.ofTableDirectory(ACCOUNT),
                                    nameOf(i * count / 10).toLowerCase(java.util.Locale.ROOT));
            RangeDescriptor range = range(i, new KeyRange(start, end), 2, "a");
            fixture.a.leads(range);
            ranges.add(range);
            start = end;
        }
        fixture.manager.pushes(
                FakeManager.map(2, fixture.nodes(), ranges.toArray(RangeDescriptor[]::new)));
        return fixture;
    }

    @Test
    void listTablesPagesEachTableOnce_withManyTables() throws Exception {
        int count = 25_000;
        try (ClusterFixture fixture = withManyTables(count)) {
            List<String> names = new ArrayList<>();
            Optional<String> next = Optional.of("");
            int pages = 0;
            while (next.isPresent()) {
                TablePage page = list(fixture, Filter.Constant.ALL, 1_000, next.get());
                assertThat(page.names()).hasSizeBetween(1, 1_000);
                names.addAll(page.names());
                next = page.nextLowerCase();
                pages++;
            }
            List<String> expected = new ArrayList<>(List.of("People"));
            for (int i = 0; i < count; i++) {
                expected.add(nameOf(i));
            }
            assertThat(names).isEqualTo(expected);
            assertThat(pages).isEqualTo(26);
            // A page costs its own rows and a few at ranges' ends, wherever it starts.
            assertThat(fixture.store.examinedRows()).isLessThan(count + 26 * 20);
        }
    }

    @Test
    void tableNameFilterScansOnlyMatchingIntervals() throws Exception {
        try (ClusterFixture fixture = withManyTables(25_000)) {
            assertThat(list(fixture, compare(Operator.EQ, "TAB17777"), 1_000, ""))
                    .isEqualTo(new TablePage(List.of("Tab17777"), Optional.empty()));
            assertThat(fixture.store.examinedRows()).isEqualTo(1);

            Filter prefix =
                    new Filter.And(
                            List.of(
                                    compare(Operator.GE, "tab123"),
                                    compare(Operator.LT, "tab124")));
            assertThat(list(fixture, prefix, 1_000, "").names())
                    .hasSize(100)
                    .startsWith("Tab12300")
                    .endsWith("Tab12399");
            assertThat(list(fixture, prefix, 1_000, "tab12350").names()).hasSize(50);
            Filter two =
                    new Filter.Or(
                            List.of(
                                    compare(Operator.EQ, "tab00001"),
                                    compare(Operator.EQ, "tab24999")));
            assertThat(list(fixture, two, 1, ""))
                    .isEqualTo(new TablePage(List.of("Tab00001"), Optional.of("tab24999")));
            assertThat(list(fixture, compare(Operator.LT, "a"), 1_000, ""))
                    .isEqualTo(new TablePage(List.of(), Optional.empty()));
            assertThat(fixture.store.examinedRows()).isLessThan(200);
        }
    }
}
