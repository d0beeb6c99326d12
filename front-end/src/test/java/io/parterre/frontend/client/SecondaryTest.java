package io.parterre.frontend.client;

import static io.parterre.frontend.client.ClusterFixture.ACCOUNT;
import static io.parterre.frontend.client.ClusterFixture.ALL;
import static io.parterre.frontend.client.ClusterFixture.SCOPE;
import static io.parterre.frontend.client.ClusterFixture.assertCode;
import static io.parterre.frontend.client.ClusterFixture.block;
import static io.parterre.frontend.client.ClusterFixture.get;
import static io.parterre.frontend.client.ClusterFixture.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.directory.TableRecord;
import io.parterre.directory.TableRecordCodec;
import io.parterre.entity.EntityCodec;
import io.parterre.error.ErrorCode;
import io.parterre.filter.Filter;
import io.parterre.frontend.call.CallMemory;
import io.parterre.frontend.route.MapChange;
import io.parterre.frontend.route.RangeMap;
import io.parterre.frontend.store.EntityInterval;
import io.parterre.frontend.store.EntityPageResult;
import io.parterre.frontend.store.EntityPosition;
import io.parterre.frontend.store.EntityQuery;
import io.parterre.frontend.store.StalenessNote;
import io.parterre.frontend.store.StoredEntity;
import io.parterre.frontend.store.TableQuery;
import io.parterre.frontend.store.TableStore;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.NoData;
import io.parterre.proto.range.ScopeFenced;
import io.parterre.range.RangeDescriptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Reads that any member may answer. */
final class SecondaryTest {
    private static final RangeDescriptor LEFT =
            ClusterFixture.range(
                    1, new KeyRange(Key.FIRST, ClusterFixture.splitPoint("m")), 2, "a");
    private static final RangeDescriptor RIGHT =
            ClusterFixture.range(2, new KeyRange(ClusterFixture.splitPoint("m"), Key.LAST), 2, "b");

    private final StalenessNote note = new StalenessNote();

    private TableStore secondary(ClusterFixture fixture) {
        return fixture.tables.secondary(note);
    }

    private static Optional<StoredEntity> read(TableStore store, String pk) throws Exception {
        return get(store.read(ACCOUNT, "people", pk, "1", Optional.empty(), soon()));
    }

    private static void storeTable(FakeStore rows) {
        rows.put(
                KeyCodec.tableDirectoryRow(ACCOUNT, "people"),
                TableRecordCodec.encode(
                        new TableRecord(
                                "People", ClusterFixture.TABLE_ID, TableRecord.State.LIVE)));
    }

    private static FakeStore old(String... partitions) {
        FakeStore rows = new FakeStore();
        storeTable(rows);
        for (String partition : partitions) {
            rows.put(
                    KeyCodec.entity(SCOPE, partition, "1"),
                    EntityCodec.encodeValue(5, block(partition)));
        }
        return rows;
    }

    @Test
    void secondaryReadsGoToFollowersAndReportWorstStaleness() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            fixture.store("x", "1");
            fixture.store("new", "1");
            fixture.b.lags(old("x"), OptionalLong.of(40));
            fixture.c.lags(old("x"), OptionalLong.of(1_500));
            // Who leads is learnt by a read of the leader's.
            assertThat(read(fixture.tables, "new")).isPresent();
            int atLeader = fixture.a.requests.size();

            for (int i = 0; i < 4; i++) {
                assertThat(read(secondary(fixture), "x")).isPresent();
                assertThat(read(secondary(fixture), "new")).isEmpty();
            }

            assertThat(fixture.a.requests).hasSize(atLeader);
            assertThat(fixture.b.requests).isNotEmpty();
            assertThat(fixture.c.requests).isNotEmpty();
            assertThat(note.worst()).contains(Duration.ofMillis(1_500));
            // And nobody takes a follower for the leader because it answered.
            assertThat(read(fixture.tables, "new")).isPresent();
            assertThat(fixture.setbacks).isEmpty();
        }
    }

    @Test
    void secondaryQueriesUseFollowersAndContinueAtPrimary() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            fixture.b.lags(old("p", "q"), OptionalLong.of(10));
            fixture.c.lags(old("p", "q"), OptionalLong.of(10));
            fixture.store("p", "1");
            fixture.store("q", "1");
            fixture.store("r", "1");
            read(fixture.tables, "p");
            int atLeader = fixture.a.requests.size();

            EntityPageResult first =
                    get(
                            secondary(fixture)
                                    .query(ACCOUNT, "people", query(EntityPosition.FIRST), soon()));
            assertThat(
                            get(secondary(fixture)
                                            .listTables(
                                                    ACCOUNT,
                                                    new TableQuery(Filter.Constant.ALL, 10, ""),
                                                    soon()))
                                    .names())
                    .containsExactly("People");
            assertThat(get(secondary(fixture).findTable(ACCOUNT, "PEOPLE", soon())))
                    .contains("People");
            assertThat(fixture.a.requests).hasSize(atLeader);

            assertThat(first.next()).contains(new EntityPosition("q", "1"));
            EntityPageResult second =
                    get(fixture.tables.query(ACCOUNT, "people", query(first.next().get()), soon()));
            assertThat(second.next()).contains(new EntityPosition("r", "1"));
        }
    }

    private static EntityQuery query(EntityPosition from) {
        return new EntityQuery(
                List.of(new EntityInterval(EntityPosition.FIRST, Optional.empty())),
                Filter.Constant.ALL,
                Optional.empty(),
                1,
                from,
                CallMemory.UNCOUNTED);
    }

    @Test
    void newTableIsNotFoundAtSecondaryOnly_whenFollowersLag() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            fixture.store("x", "1");
            fixture.b.lags(new FakeStore(), OptionalLong.of(10));
            fixture.c.lags(new FakeStore(), OptionalLong.of(10));
            read(fixture.tables, "x");
            int directoryReads = fixture.a.requests.size();

            assertCode(
                    secondary(fixture).read(ACCOUNT, "people", "x", "1", Optional.empty(), soon()),
                    ErrorCode.TABLE_NOT_FOUND);
            assertThat(note.worst()).contains(Duration.ofMillis(10));

            assertThat(read(fixture.tables, "x")).isPresent();
            // One more, the entity's: the primary still knows the table.
            assertThat(fixture.a.requests).hasSize(directoryReads + 1);
        }
    }

    @Test
    void primaryIgnoresTableRecordReadAtFollower() throws Exception {
        try (ClusterFixture fixture =
                ClusterFixture.prepared(
                        prepared ->
                                prepared.store.put(
                                        KeyCodec.tableDirectoryRow(ACCOUNT, "people"),
                                        TableRecordCodec.encode(
                                                new TableRecord(
                                                        "People",
                                                        new io.parterre.key.ObjectId(51),
                                                        TableRecord.State.LIVE))))) {
            fixture.store("x", "1");
            // Until the leader is known, any member may be asked: all but the leader say 50.
            fixture.a.drops(ALL);
            fixture.b.lags(old("x"), OptionalLong.of(10));
            fixture.c.lags(old("x"), OptionalLong.of(10));
            assertThat(read(secondary(fixture), "x")).isPresent();
            fixture.a.leads(ALL);

            assertThat(read(fixture.tables, "x")).isEmpty();
        }
    }

    @Test
    void secondaryReadAsksOtherMember_whenMemberHasNoData() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            fixture.store("x", "1");
            for (FakeNode node : List.of(fixture.a, fixture.b)) {
                node.answersNext(answer -> answer.setNoData(NoData.getDefaultInstance()));
            }
            for (int i = 0; i < 4; i++) {
                assertThat(read(secondary(fixture), "x")).isPresent();
            }
        }
    }

    @Test
    void secondaryReadIsServed_byLastReachableMember() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            fixture.store("x", "1");
            read(fixture.tables, "x");
            fixture.a.stop();
            fixture.b.stop();
            fixture.c.lags(old("x"), OptionalLong.of(90_000));
            assertThat(read(secondary(fixture), "x")).isPresent();
            assertThat(note.worst()).contains(Duration.ofMillis(90_000));

            fixture.c.stop();
            fixture.b.start();
            fixture.b.lags(old("x"), OptionalLong.empty());
            assertThat(read(secondary(fixture), "x")).isPresent();
            assertThat(note.isUsed()).isTrue();
            assertThat(note.worst()).isEmpty();
        }
    }

    @Test
    void unresponsiveFollowerIsAvoided_afterAttemptTimeout() throws Exception {
        try (ClusterFixture fixture =
                new ClusterFixture(
                        config -> Configs.withAttemptTimeout(config, Duration.ofMillis(300)),
                        prepared -> {},
                        () -> Runnable::run)) {
            fixture.store("x", "1");
            read(fixture.tables, "x");
            for (int i = 0; i < 50; i++) {
                fixture.b.isSilentToNext();
            }
            for (int i = 0; i < 10; i++) {
                assertThat(read(secondary(fixture), "x")).isPresent();
            }
            assertThat(fixture.b.requests.size()).isBetween(1, 2);
        }
    }

    @Test
    void accountStalenessComesFromFollowersElseLeaderElseUnknown() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            read(fixture.tables, "x");
            fixture.b.lags(old(), OptionalLong.of(70));
            fixture.c.lags(old(), OptionalLong.of(70));
            assertThat(get(fixture.tables.secondaryStaleness(ACCOUNT, soon())))
                    .contains(Duration.ofMillis(70));
            fixture.b.lags(old(), OptionalLong.empty());
            fixture.c.lags(old(), OptionalLong.empty());
            // Who leads can tell.
            assertThat(age(fixture, Duration.ofSeconds(10))).contains(Duration.ZERO);
            fixture.a.stop();
            assertThat(age(fixture, Duration.ofMillis(200))).isEmpty();
            fixture.nodes().forEach(FakeNode::stop);
            assertThat(age(fixture, Duration.ofMillis(200))).isEmpty();
        }
    }

    private static Optional<Duration> age(ClusterFixture fixture, Duration within)
            throws Exception {
        return get(fixture.tables.secondaryStaleness(ACCOUNT, ClusterFixture.in(within)));
    }

    @Test
    void stalenessRequestIsRetried_forRangesWithUnknownStalenessOnly() throws Exception {
        try (ClusterFixture fixture =
                ClusterFixture.prepared(
                        prepared -> {
                            prepared.a.drops(ALL).leads(LEFT);
                            prepared.b.drops(ALL).leads(RIGHT);
                            prepared.c.drops(ALL);
                            prepared.manager.tells(
                                    FakeManager.map(1, prepared.nodes(), LEFT, RIGHT));
                        })) {
            for (int i = 0; i < 6; i++) {
                fixture.b.forgetsNextAge();
            }
            assertThat(age(fixture, Duration.ofSeconds(10))).contains(Duration.ZERO);
            assertThat(fixture.b.requests).hasSize(7);
            // The left one holds the beginnings of both the directory and the entities.
            assertThat(fixture.a.requests).hasSize(2);
        }
    }

    @Test
    void stalenessIsReported_whenRangeStartsInDeletedTable() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            for (FakeNode node : fixture.nodes()) {
                for (int i = 0; i < 2; i++) {
                    node.answersNext(
                            answer ->
                                    answer.setScopeFenced(ScopeFenced.getDefaultInstance())
                                            .setStalenessMillis(5));
                }
            }
            assertThat(age(fixture, Duration.ofSeconds(10))).contains(Duration.ofMillis(5));
        }
    }

    @Test
    void stalenessIsReported_whenOnlyOneMemberKnowsIt() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            fixture.a.stop();
            fixture.b.lags(old(), OptionalLong.empty());
            fixture.c.lags(old(), OptionalLong.of(70));
            for (int i = 0; i < 4; i++) {
                assertThat(age(fixture, Duration.ofSeconds(10))).contains(Duration.ofMillis(70));
            }
        }
    }

    @Test
    void stalenessIsUnknownBeforeDeadline_whenNoMemberKnowsIt() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            fixture.a.drops(ALL);
            fixture.b.lags(old(), OptionalLong.empty());
            fixture.c.lags(old(), OptionalLong.empty());
            // Within the 15 s that a stage may take in these tests.
            assertThat(age(fixture, Duration.ofMinutes(1))).isEmpty();
        }
    }

    @Test
    void stalenessCoversParentAndChild_whenRangeHasSplit() throws Exception {
        try (ClusterFixture fixture =
                ClusterFixture.prepared(
                        prepared -> {
                            // It tells of both, and holds one.
                            prepared.a.drops(ALL).leads(LEFT, RIGHT);
                            prepared.b.drops(ALL).follows(RIGHT, "c");
                            prepared.b.lags(new FakeStore(), OptionalLong.of(90));
                            prepared.c.drops(ALL);
                        })) {
            fixture.store("x", "1");
            assertThat(age(fixture, Duration.ofSeconds(10))).contains(Duration.ofMillis(90));
        }
    }

    @Test
    void stalenessSamplesRanges_whenAccountHasTooMany() {
        List<RangeDescriptor> ranges = new ArrayList<>();
        Key start = Key.FIRST;
        for (int i = 0; i < 100; i++) {
            Key end = i == 99 ? Key.LAST : KeyCodec.partition(SCOPE, String.format("%03d", i));
            ranges.add(ClusterFixture.range(i + 1, new KeyRange(start, end), 1, "a"));
            start = end;
        }
        RangeMap map = RangeMap.EMPTY.after(new MapChange(1, true, ranges, List.of(), Map.of()));
        assertThat(asked(map, 1_000)).hasSize(101).doesNotHaveDuplicates();
        List<Key> some = asked(map, 10);
        assertThat(some).hasSize(10).doesNotHaveDuplicates();
        assertThat(some.get(0)).isLessThan(KeyCodec.scope(SCOPE));
        // Whichever they are, a server takes them for keys.
        some.forEach(KeyCodec::scopeOf);
    }

    private static List<Key> asked(RangeMap map, int max) {
        List<Key> keys =
                SecondaryAge.parts(map, ACCOUNT, max).stream().map(KeyRange::start).toList();
        assertThat(keys.stream().map(map::find)).allMatch(Optional::isPresent);
        return keys;
    }
}
