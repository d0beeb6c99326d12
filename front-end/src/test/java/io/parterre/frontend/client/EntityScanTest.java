package io.parterre.frontend.client;

import static io.parterre.frontend.client.ClusterFixture.ACCOUNT;
import static io.parterre.frontend.client.ClusterFixture.SCOPE;
import static io.parterre.frontend.client.ClusterFixture.get;
import static io.parterre.frontend.client.ClusterFixture.range;
import static io.parterre.frontend.client.ClusterFixture.soon;
import static io.parterre.frontend.client.ClusterFixture.splitPoint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.directory.TableRecord;
import io.parterre.directory.TableRecordCodec;
import io.parterre.entity.EdmValue;
import io.parterre.entity.Entity;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.EntityPage;
import io.parterre.entity.Property;
import io.parterre.error.BusyReason;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.error.Throttle;
import io.parterre.filter.Filter;
import io.parterre.filter.Operator;
import io.parterre.frontend.call.CallMemory;
import io.parterre.frontend.store.EntityInterval;
import io.parterre.frontend.store.EntityPageResult;
import io.parterre.frontend.store.EntityPosition;
import io.parterre.frontend.store.EntityQuery;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.range.RangeDescriptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Queries, page by page, over a table that lies in three ranges. */
final class EntityScanTest {
    private static final RangeDescriptor FIRST =
            range(1, new KeyRange(Key.FIRST, splitPoint("g")), 1, "a");
    private static final RangeDescriptor SECOND =
            range(2, new KeyRange(splitPoint("g"), splitPoint("p")), 1, "b");
    private static final RangeDescriptor THIRD =
            range(3, new KeyRange(splitPoint("p"), Key.LAST), 1, "c");

    private static ClusterFixture cluster(String... partitionKeys) throws Exception {
        return cluster(UnaryOperator.identity(), partitionKeys);
    }

    private static ClusterFixture cluster(
            UnaryOperator<ClusterClientConfig> config, String... partitionKeys) throws Exception {
        ClusterFixture fixture =
                new ClusterFixture(
                        config,
                        prepared -> {
                            prepared.manager.tells(
                                    FakeManager.map(1, prepared.nodes(), FIRST, SECOND, THIRD));
                            prepared.a.leads(FIRST);
                            prepared.b.leads(SECOND);
                            prepared.c.leads(THIRD);
                        },
                        () -> Runnable::run);
        for (String partitionKey : partitionKeys) {
            fixture.store(partitionKey, "1");
        }
        return fixture;
    }

    private static EntityQuery all(int top) {
        return query(top, EntityPosition.FIRST, Filter.Constant.ALL, EntityInterval.ALL);
    }

    private static EntityQuery query(
            int top, EntityPosition from, Filter filter, EntityInterval... intervals) {
        return new EntityQuery(
                List.of(intervals), filter, Optional.empty(), top, from, CallMemory.UNCOUNTED);
    }

    private static EntityInterval partition(String partitionKey) {
        return new EntityInterval(
                EntityPosition.startOf(partitionKey),
                Optional.of(EntityPosition.endOf(partitionKey)));
    }

    private static EntityInterval point(String partitionKey, String rowKey) {
        EntityPosition at = new EntityPosition(partitionKey, rowKey);
        return new EntityInterval(at, Optional.of(at.next()));
    }

    private static EntityPageResult page(ClusterFixture fixture, EntityQuery query)
            throws Exception {
        return get(fixture.tables.query(ACCOUNT, "people", query, soon()));
    }

    private static List<Entity> entities(EntityPageResult page) {
        List<Entity> entities = new ArrayList<>();
        page.pages().forEach(rows -> entities.addAll(EntityPage.decode(rows)));
        return entities;
    }

    private static List<String> keys(EntityPageResult page) {
        return entities(page).stream()
                .map(entity -> entity.partitionKey() + "/" + entity.rowKey())
                .toList();
    }

    @Test
    void scanReturnsAllInOrderWithoutToken_whenTableSpansRanges() throws Exception {
        try (ClusterFixture fixture = cluster("z", "a", "h", "g", "p")) {
            EntityPageResult page = page(fixture, all(1_000));
            assertThat(keys(page)).containsExactly("a/1", "g/1", "h/1", "p/1", "z/1");
            assertThat(page.next()).isEmpty();
        }
    }

    @Test
    void scanReturnsEmptyPage_whenTableOrIntervalListIsEmpty() throws Exception {
        try (ClusterFixture fixture = cluster()) {
            assertThat(page(fixture, all(10)))
                    .isEqualTo(new EntityPageResult(List.of(), 0, Optional.empty()));
            assertThat(page(fixture, query(10, EntityPosition.FIRST, Filter.Constant.ALL)))
                    .isEqualTo(new EntityPageResult(List.of(), 0, Optional.empty()));
        }
    }

    @Test
    void pageTokenNamesNextEntity_whenPageIsFull() throws Exception {
        try (ClusterFixture fixture = cluster("a", "b", "c", "h")) {
            EntityPageResult page = page(fixture, all(2));
            assertThat(keys(page)).containsExactly("a/1", "b/1");
            assertThat(page.next()).contains(new EntityPosition("c", "1"));
        }
    }

    @Test
    void fullPageHasTokenOnly_whenLaterRangeHasEntities() throws Exception {
        try (ClusterFixture fixture = cluster("a", "b", "z")) {
            EntityPageResult page = page(fixture, all(2));
            assertThat(keys(page)).containsExactly("a/1", "b/1");
            assertThat(page.next()).contains(new EntityPosition("z", "1"));
        }
        try (ClusterFixture fixture = cluster("a", "b")) {
            EntityPageResult page = page(fixture, all(2));
            assertThat(keys(page)).containsExactly("a/1", "b/1");
            assertThat(page.next()).isEmpty();
        }
    }

    @Test
    void fullPageHasTokenOnly_whenLaterIntervalHasEntities() throws Exception {
        EntityInterval[] points = {point("a", "1"), point("b", "1"), point("q", "1")};
        try (ClusterFixture fixture = cluster("a", "b", "q")) {
            EntityPageResult page =
                    page(fixture, query(1, EntityPosition.FIRST, Filter.Constant.ALL, points));
            assertThat(keys(page)).containsExactly("a/1");
            assertThat(page.next()).contains(new EntityPosition("b", "1"));
        }
        try (ClusterFixture fixture = cluster("a", "c", "z")) {
            EntityPageResult page =
                    page(fixture, query(1, EntityPosition.FIRST, Filter.Constant.ALL, points));
            assertThat(keys(page)).containsExactly("a/1");
            assertThat(page.next()).isEmpty();
        }
    }

    @Test
    void pagingReturnsEachEntityOnce_forAnyPageSize() throws Exception {
        String[] partitions = {"a", "b", "f", "g", "h", "o", "p", "q", "z"};
        try (ClusterFixture fixture = cluster(partitions)) {
            for (int top = 1; top <= 10; top++) {
                List<String> seen = new ArrayList<>();
                EntityPosition from = EntityPosition.FIRST;
                int pages = 0;
                for (boolean more = true; more; ) {
                    EntityPageResult page =
                            page(
                                    fixture,
                                    query(top, from, Filter.Constant.ALL, EntityInterval.ALL));
                    seen.addAll(keys(page));
                    pages++;
                    more = page.next().isPresent();
                    from = page.next().orElse(from);
                }
                assertThat(seen)
                        .containsExactly(
                                "a/1", "b/1", "f/1", "g/1", "h/1", "o/1", "p/1", "q/1", "z/1");
                assertThat(pages).isEqualTo((9 + top - 1) / top);
            }
        }
    }

    @Test
    void scanReadsOnlyGivenIntervals_fromPageStartPosition() throws Exception {
        try (ClusterFixture fixture = cluster("a", "b", "h", "i", "z")) {
            fixture.store("b", "2");
            EntityPageResult page =
                    page(
                            fixture,
                            query(
                                    10,
                                    new EntityPosition("b", "1\0"),
                                    Filter.Constant.ALL,
                                    partition("a"),
                                    partition("b"),
                                    new EntityInterval(
                                            EntityPosition.startOf("i"), Optional.empty())));
            assertThat(keys(page)).containsExactly("b/2", "i/1", "z/1");
            // Nothing was asked of the first interval, which is done.
            assertThat(fixture.a.requests.stream().filter(request -> request.hasScan()).count())
                    .isEqualTo(1);
        }
    }

    @Test
    void scanReturnsMatchingEntitiesWithSelectedProperties() throws Exception {
        try (ClusterFixture fixture = cluster("a", "bb", "cc", "h", "zz")) {
            Filter longer =
                    new Filter.Comparison("Length", Operator.GT, new EdmValue.Int32Value(2));
            EntityQuery query =
                    new EntityQuery(
                            List.of(EntityInterval.ALL),
                            longer,
                            Optional.of(List.of("Text")),
                            10,
                            EntityPosition.FIRST,
                            CallMemory.UNCOUNTED);
            EntityPageResult page = page(fixture, query);
            assertThat(keys(page)).containsExactly("bb/1", "cc/1", "zz/1");
            assertThat(entities(page).get(0).properties())
                    .containsExactly(new Property("Text", new EdmValue.StringValue("bb1")));
        }
    }

    @Test
    void scanIsRefusedAsBusy_whenThereIsNoMemoryForItsRows() throws Exception {
        try (ClusterFixture fixture = cluster("a", "b")) {
            EntityQuery query =
                    new EntityQuery(
                            List.of(EntityInterval.ALL),
                            Filter.Constant.ALL,
                            Optional.empty(),
                            10,
                            EntityPosition.FIRST,
                            new CallMemory() {
                                @Override
                                public boolean chargeTo(String account) {
                                    return true;
                                }

                                @Override
                                public boolean gather(long bytes) {
                                    return bytes == 0;
                                }
                            });
            assertThatThrownBy(() -> page(fixture, query))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            refused ->
                                    assertThat(refused.throttle())
                                            .contains(
                                                    new Throttle(
                                                            BusyReason.FRONT_END, Duration.ZERO)));
            // Once: a repeat would bring the same rows.
            assertThat(fixture.a.requests.stream().filter(request -> request.hasScan()).count())
                    .isEqualTo(1);
        }
    }

    /** Names that no entity has; each entity is answered with a null for each of them. */
    @Test
    void pageEndsSooner_whenNullsOfSelectionOutweighRows() throws Exception {
        String[] partitionKeys = new String[70];
        for (int i = 0; i < partitionKeys.length; i++) {
            partitionKeys[i] = String.format("a%03d", i);
        }
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 255; i++) {
            names.add(String.format("%0255d", i));
        }
        try (ClusterFixture fixture = cluster(partitionKeys)) {
            EntityQuery query =
                    new EntityQuery(
                            List.of(EntityInterval.ALL),
                            Filter.Constant.ALL,
                            Optional.of(names),
                            1_000,
                            EntityPosition.FIRST,
                            CallMemory.UNCOUNTED);
            EntityPageResult page = page(fixture, query);
            // 4 MiB of 255 times 263 bytes.
            assertThat(keys(page)).hasSize(62);
            assertThat(page.next()).contains(new EntityPosition("a062", "1"));
        }
    }

    @Test
    void fullPageHasNoToken_whenNoLaterEntityMatchesFilter() throws Exception {
        try (ClusterFixture fixture = cluster("aa", "b", "c", "h", "z")) {
            Filter longer =
                    new Filter.Comparison("Length", Operator.GT, new EdmValue.Int32Value(2));
            EntityPageResult page =
                    page(fixture, query(1, EntityPosition.FIRST, longer, EntityInterval.ALL));
            assertThat(keys(page)).containsExactly("aa/1");
            assertThat(page.next()).isEmpty();
        }
    }

    @Test
    void scanContinues_whenNodeStopsEarlyAtItsRowLimit() throws Exception {
        try (ClusterFixture fixture = cluster("a", "b", "c", "d", "h", "z")) {
            fixture.store.examineAtMost(2);
            EntityPageResult page = page(fixture, all(1_000));
            assertThat(keys(page)).containsExactly("a/1", "b/1", "c/1", "d/1", "h/1", "z/1");
            assertThat(page.next()).isEmpty();
        }
    }

    @Test
    void pageEndsWithTokenAtStopPosition_whenPageTimeIsUsedUp() throws Exception {
        UnaryOperator<ClusterClientConfig> hasty =
                config -> Configs.withPageTimeMax(config, Duration.ofNanos(1));
        try (ClusterFixture fixture = cluster(hasty, "a", "b", "h", "z")) {
            List<String> seen = new ArrayList<>();
            List<EntityPosition> tokens = new ArrayList<>();
            EntityPosition from = EntityPosition.FIRST;
            for (boolean more = true; more; ) {
                EntityPageResult page =
                        page(fixture, query(10, from, Filter.Constant.ALL, EntityInterval.ALL));
                seen.addAll(keys(page));
                more = page.next().isPresent();
                from = page.next().orElse(from);
                page.next().ifPresent(tokens::add);
            }
            assertThat(seen).containsExactly("a/1", "b/1", "h/1", "z/1");
            // Where the ranges end.
            assertThat(tokens)
                    .containsExactly(EntityPosition.startOf("g"), EntityPosition.startOf("p"));
        }
    }

    @Test
    void pageEndsWithToken_whenPageSizeInBytesIsReached() throws Exception {
        try (ClusterFixture fixture = cluster()) {
            String text = "x".repeat(1_500_000);
            for (String partitionKey : List.of("a", "b", "c", "h")) {
                fixture.store.put(
                        KeyCodec.entity(SCOPE, partitionKey, "1"),
                        EntityCodec.encodeValue(1, ClusterFixture.block(text)));
            }
            EntityPageResult page = page(fixture, all(1_000));
            assertThat(keys(page)).containsExactly("a/1", "b/1", "c/1");
            assertThat(page.next()).contains(new EntityPosition("h", "1"));
        }
    }

    @Test
    void queryFailsWithTableNotFound_afterTableIsDeleted() throws Exception {
        try (ClusterFixture fixture = cluster("a")) {
            page(fixture, all(10));
            get(fixture.tables.deleteTable(ACCOUNT, "people", soon()));
            assertThatThrownBy(() -> page(fixture, all(10)))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            failure ->
                                    assertThat(failure.code())
                                            .isEqualTo(ErrorCode.TABLE_NOT_FOUND));
        }
    }

    /** Which another front end did; the scan comes to the first fence when it has rows already. */
    @Test
    void scanStartsAgainInNewTable_whenCachedTableWasReplaced() throws Exception {
        try (ClusterFixture fixture = cluster("a", "h")) {
            assertThat(keys(page(fixture, all(10)))).containsExactly("a/1", "h/1");
            ObjectId next = new ObjectId(51);
            fixture.store.put(
                    KeyCodec.tableDirectoryRow(ACCOUNT, "people"),
                    TableRecordCodec.encode(
                            new TableRecord("People", next, TableRecord.State.LIVE)));
            fixture.store.put(
                    KeyCodec.entity(Scope.ofTable(ACCOUNT, next), "b", "1"),
                    EntityCodec.encodeValue(5, ClusterFixture.block("new")));
            fixture.store.fenceScope(SECOND, KeyCodec.scope(SCOPE));
            EntityPageResult page = page(fixture, all(10));
            assertThat(keys(page)).containsExactly("b/1");
            assertThat(page.next()).isEmpty();
        }
    }

    @Test
    void scanReadsParentAndChild_whenRangeSplitsBetweenPages() throws Exception {
        try (ClusterFixture fixture = cluster("a", "c", "e", "h", "z")) {
            page(fixture, all(1));
            RangeDescriptor parent = range(1, new KeyRange(Key.FIRST, splitPoint("d")), 2, "a");
            RangeDescriptor child =
                    range(4, new KeyRange(splitPoint("d"), splitPoint("g")), 1, "a");
            fixture.a.leads(parent, child);
            EntityPageResult page =
                    page(
                            fixture,
                            query(
                                    10,
                                    new EntityPosition("c", ""),
                                    Filter.Constant.ALL,
                                    EntityInterval.ALL));
            assertThat(keys(page)).containsExactly("c/1", "e/1", "h/1", "z/1");
        }
    }
}
