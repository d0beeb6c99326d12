package io.parterre.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SplitPointSearchTest {
    private static final Scope TABLE = Scope.ofTable(new AccountId(7), new ObjectId(11));

    /** Rows in memory. */
    private static final class Rows implements RangeSizes {
        private final TreeMap<Key, Long> rows = new TreeMap<>();
        private int looks;

        void put(String partition, String row, long bytes) {
            rows.put(KeyCodec.entity(TABLE, partition, row), bytes);
        }

        @Override
        public long bytes(KeyRange interval) {
            return rows.subMap(interval.start(), interval.endExclusive()).values().stream()
                    .mapToLong(bytes -> bytes)
                    .sum();
        }

        @Override
        public Optional<Key> firstRow(Key from, Key endExclusive) {
            looks++;
            return Optional.ofNullable(rows.ceilingKey(from))
                    .filter(key -> key.compareTo(endExclusive) < 0);
        }

        Optional<Key> middle() {
            return SplitPointSearch.splitPoints(KeyRange.ALL, 2, this).stream().findFirst();
        }
    }

    private final Rows rows = new Rows();

    private static Optional<Key> at(String partition) {
        return Optional.of(KeyCodec.partition(TABLE, partition));
    }

    @Test
    void noSplitPointIsFound_whenRangeHasAtMostOnePartition() {
        assertThat(rows.middle()).isEmpty();
        rows.put("p", "1", 10);
        assertThat(rows.middle()).isEmpty();
        rows.put("p", "2", 1_000);
        rows.put("p", "3", 10);
        assertThat(rows.middle()).isEmpty();
    }

    @Test
    void splitPointIsAtEdgeOfMiddlePartition() {
        rows.put("a", "1", 10);
        rows.put("b", "1", 80);
        rows.put("c", "1", 60);
        assertThat(rows.middle()).isEqualTo(at("c"));
        rows.put("c", "2", 200);
        assertThat(rows.middle()).isEqualTo(at("c"));
        rows.put("d", "1", 10);
        assertThat(rows.middle()).isEqualTo(at("c"));
    }

    @Test
    void splitPointIsolatesPartition_whenFirstOrLastIsLarge() {
        rows.put("a", "1", 1_000);
        rows.put("b", "1", 1);
        assertThat(rows.middle()).isEqualTo(at("b"));
        rows.put("b", "2", 100_000);
        assertThat(rows.middle()).isEqualTo(at("b"));
    }

    @Test
    void splitPointIsFound_whenPartitionKeysShareLongPrefix() {
        String prefix = "x".repeat(40);
        for (int i = 0; i < 10; i++) {
            rows.put(prefix + i, "r", 10);
        }
        assertThat(rows.middle()).isEqualTo(at(prefix + "5"));
    }

    private List<Key> splitPoints(int parts) {
        return SplitPointSearch.splitPoints(KeyRange.ALL, parts, rows);
    }

    @Test
    void fewerSplitPointsAreFound_whenPartitionsAreFewOrLarge() {
        assertThat(splitPoints(4)).isEmpty();
        rows.put("a", "1", 10);
        assertThat(splitPoints(4)).isEmpty();
        rows.put("b", "1", 10);
        assertThat(splitPoints(4)).containsExactly(KeyCodec.partition(TABLE, "b"));
        rows.put("c", "1", 1_000);
        rows.put("d", "1", 10);
        assertThat(splitPoints(4))
                .as("a large partition is in the way of some")
                .containsExactly(KeyCodec.partition(TABLE, "c"), KeyCodec.partition(TABLE, "d"));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 7, 16})
    void splitPointsDivideBytesEvenly_forRequestedPartCount(int parts) {
        Random random = new Random(parts);
        for (int i = 0; i < 5_000; i++) {
            rows.put(Long.toString(random.nextLong(), 36), "r", 1 + random.nextInt(1_000));
        }
        List<Key> splitPoints = splitPoints(parts);

        assertThat(splitPoints).hasSize(parts - 1).isSorted().allMatch(KeyCodec::isSplitPoint);
        double fair = rows.bytes(KeyRange.ALL) / (double) parts;
        Key start = Key.FIRST;
        List<Key> ends = new ArrayList<>(splitPoints);
        ends.add(Key.LAST);
        for (Key end : ends) {
            assertThat(rows.bytes(new KeyRange(start, end)) / fair).isBetween(0.98, 1.02);
            start = end;
        }
        assertThat(rows.looks).isLessThan(1_000 * parts);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void splitPointHalvesBytes_withRandomRowSizes(long seed) {
        Random random = new Random(seed);
        long largest = 0;
        for (int i = 0; i < 5_000; i++) {
            long bytes = 1 + random.nextInt(1_000);
            largest = Math.max(largest, bytes);
            rows.put(Long.toString(random.nextLong(), 36), "r", bytes);
        }
        Key splitPoint = rows.middle().orElseThrow();

        assertThat(KeyCodec.isSplitPoint(splitPoint)).isTrue();
        long left = rows.bytes(new KeyRange(Key.FIRST, splitPoint));
        assertThat(left)
                .isBetween(
                        rows.bytes(KeyRange.ALL) / 2 - largest,
                        rows.bytes(KeyRange.ALL) / 2 + largest);
        assertThat(rows.looks).isLessThan(1_000);
    }
}
