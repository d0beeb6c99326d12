package io.parterre.server.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.entity.EdmValue;
import io.parterre.entity.Entity;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.EntityPage;
import io.parterre.entity.Property;
import io.parterre.filter.Filter;
import io.parterre.filter.Operator;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ScanTest {
    private static final Scope TABLE = Scope.ofTable(new AccountId(7), new ObjectId(11));
    private static final int ANY = Integer.MAX_VALUE;
    private static final Duration LONG = Duration.ofHours(1);
    private static final Filter EVEN =
            new Filter.Comparison("Even", Operator.EQ, new EdmValue.BooleanValue(true));

    private final NavigableMap<Key, byte[]> rows = new TreeMap<>();
    private final AtomicLong nanos = new AtomicLong();

    private void fill(int count) {
        for (int i = 0; i < count; i++) {
            byte[] block =
                    EntityCodec.encodeBlock(
                            List.of(
                                    new Property("N", new EdmValue.Int32Value(i)),
                                    new Property("Even", new EdmValue.BooleanValue(i % 2 == 0))));
            rows.put(key(i), EntityCodec.encodeValue(1_000 + i, block));
        }
    }

    private static Key key(int i) {
        return KeyCodec.entity(TABLE, "p", String.format("%05d", i));
    }

    private ScanResult scan(Optional<Filter> filter, ScanBudget budget) {
        return Scan.ofEntities(filter, Optional.empty(), budget, nanos::get)
                .run(new ListRows(rows));
    }

    private static List<Integer> numbers(ScanResult result) {
        List<Integer> numbers =
                EntityPage.decode(result.rows()).stream()
                        .map(Entity::rowKey)
                        .map(Integer::valueOf)
                        .toList();
        assertThat(result.rowCount()).isEqualTo(numbers.size());
        return numbers;
    }

    @Test
    void scanReturnsAllRows_whenTheyFitOnePage() {
        fill(3);
        ScanResult result = scan(Optional.empty(), new ScanBudget(10, ANY, ANY, LONG));

        assertThat(numbers(result)).containsExactly(0, 1, 2);
        assertThat(result.examinedRows()).isEqualTo(3);
        assertThat(result.resumeKey()).isEmpty();
    }

    @Test
    void resumeKeyIsNextMatchingRow_whenPageIsFull() {
        fill(10);
        ScanResult result = scan(Optional.of(EVEN), new ScanBudget(2, ANY, ANY, LONG));

        assertThat(numbers(result)).containsExactly(0, 2);
        assertThat(result.resumeKey()).contains(key(4));
        assertThat(result.examinedRows()).isEqualTo(5);
    }

    @Test
    void resumeKeyIsAbsent_whenFullPageHoldsLastMatch() {
        fill(4);
        ScanResult result = scan(Optional.of(EVEN), new ScanBudget(2, ANY, ANY, LONG));

        assertThat(numbers(result)).containsExactly(0, 2);
        assertThat(result.resumeKey()).isEmpty();
    }

    @Test
    void scanReturnsOnlyResumeKey_whenRowLimitIsZero() {
        fill(4);
        rows.remove(key(0));

        ScanResult some = scan(Optional.of(EVEN), new ScanBudget(0, ANY, ANY, LONG));
        assertThat(some.rowCount()).isZero();
        assertThat(some.rows()).isEmpty();
        assertThat(some.resumeKey()).contains(key(2));

        rows.remove(key(2));
        assertThat(scan(Optional.of(EVEN), new ScanBudget(0, ANY, ANY, LONG)).resumeKey())
                .isEmpty();
    }

    @Test
    void resumeKeyIsNextRow_whenExaminedBudgetIsExhausted() {
        fill(10);
        ScanResult result = scan(Optional.of(EVEN), new ScanBudget(10, ANY, 3, LONG));

        assertThat(numbers(result)).containsExactly(0, 2);
        assertThat(result.examinedRows()).isEqualTo(3);
        assertThat(result.resumeKey()).contains(key(3));
    }

    @Test
    void resumeKeyIsAbsent_whenExaminedBudgetJustSuffices() {
        fill(3);
        ScanResult result = scan(Optional.empty(), new ScanBudget(10, ANY, 3, LONG));

        assertThat(numbers(result)).containsExactly(0, 1, 2);
        assertThat(result.resumeKey()).isEmpty();
    }

    @Test
    void pageEndsAtByteLimit_afterAtLeastOneRow() {
        fill(3);
        int row = key(0).length() + rows.get(key(0)).length;

        assertThat(numbers(scan(Optional.empty(), new ScanBudget(10, 1, ANY, LONG))))
                .containsExactly(0);
        ScanResult two = scan(Optional.empty(), new ScanBudget(10, 2 * row + 2, ANY, LONG));
        assertThat(numbers(two)).containsExactly(0, 1);
        assertThat(two.resumeKey()).contains(key(2));
    }

    @Test
    void scanEndsAtTimeLimit_afterExaminingSomeRows() {
        fill(100);
        Scan scan =
                Scan.ofEntities(
                        Optional.empty(),
                        Optional.empty(),
                        new ScanBudget(ANY, ANY, ANY, Duration.ofNanos(10)),
                        () -> nanos.getAndAdd(10));
        ScanResult result = scan.run(new ListRows(rows));

        assertThat(result.examinedRows()).isEqualTo(32);
        assertThat(result.resumeKey()).contains(key(32));
    }

    @Test
    void everyMatchIsReturnedOnce_whenScanFollowsResumeKeys() {
        fill(57);
        for (int rowsMax = 1; rowsMax <= 7; rowsMax++) {
            for (int examinedMax = 1; examinedMax <= 9; examinedMax += 4) {
                java.util.List<Integer> all = new java.util.ArrayList<>();
                Optional<Key> at = Optional.of(Key.FIRST);
                while (at.isPresent()) {
                    ScanResult page =
                            Scan.ofEntities(
                                            Optional.of(EVEN),
                                            Optional.empty(),
                                            new ScanBudget(rowsMax, ANY, examinedMax, LONG),
                                            nanos::get)
                                    .run(new ListRows(tail(at.get())));
                    all.addAll(numbers(page));
                    at = page.resumeKey();
                }
                assertThat(all).hasSize(29).doesNotHaveDuplicates().isSorted();
            }
        }
    }

    private NavigableMap<Key, byte[]> tail(Key from) {
        return rows.tailMap(from, true);
    }

    @Test
    void scanReturnsOnlySelectedProperties() {
        fill(1);
        ScanResult result =
                Scan.ofEntities(
                                Optional.of(EVEN),
                                Optional.of(List.of("N", "Missing")),
                                new ScanBudget(1, ANY, ANY, LONG),
                                nanos::get)
                        .run(new ListRows(rows));

        assertThat(EntityPage.decode(result.rows()))
                .containsExactly(
                        new Entity(
                                "p",
                                "00000",
                                1_000,
                                List.of(new Property("N", new EdmValue.Int32Value(0)))));
    }

    @Test
    void rawScanReturnsRow_whenValueIsNoEntity() {
        rows.put(Key.copyOf(new byte[] {1, 2}), new byte[] {9});
        ScanResult result =
                Scan.ofRows(new ScanBudget(1, ANY, ANY, LONG), nanos::get).run(new ListRows(rows));

        assertThat(result.rows()).containsExactly(2, 1, 2, 1, 9);
    }

    @Test
    void callerScanBudgetIsCappedByServerBudget() {
        ScanBudget server = new ScanBudget(100, 100, 100, Duration.ofMillis(100));

        assertThat(ScanBudget.within(server, 7, 8, 9, 10))
                .isEqualTo(new ScanBudget(7, 8, 9, Duration.ofMillis(10)));
        assertThat(ScanBudget.within(server, 0, 0, 0, 0))
                .isEqualTo(new ScanBudget(0, 100, 100, Duration.ofMillis(100)));
        assertThat(ScanBudget.within(server, -1, -1, -1, -1)).isEqualTo(server);
    }
}
