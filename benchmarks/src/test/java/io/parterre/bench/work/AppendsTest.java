package io.parterre.bench.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class AppendsTest {
    private static Set<Long> partitions(Appends design, long from, long endExclusive) {
        return LongStream.range(from, endExclusive)
                .map(design::partitionOf)
                .boxed()
                .collect(Collectors.toSet());
    }

    @Test
    void timeOrderedAppendsGoToLastPartition() {
        assertThat(partitions(Appends.TIME_ORDERED, 0, 100)).hasSize(1);
        long before = 0;
        for (long row = 0; row < 100_000; row += 77) {
            assertThat(Appends.TIME_ORDERED.partitionOf(row)).isGreaterThanOrEqualTo(before);
            before = Appends.TIME_ORDERED.partitionOf(row);
            assertThat(Appends.TIME_ORDERED.writtenAt(row)).containsExactly(before);
        }
    }

    @Test
    void bucketedAppendsSpreadEvenlyOverBuckets() {
        assertThat(partitions(Appends.BUCKETED, 0, 1_600)).hasSize(Appends.BUCKETS);
        assertThat(partitions(Appends.BUCKETED, 160_000, 161_600))
                .isEqualTo(Appends.BUCKETED.writtenAt(161_000).boxed().collect(Collectors.toSet()));
        var counts =
                LongStream.range(0, 16_000)
                        .map(Appends.BUCKETED::partitionOf)
                        .mapToObj(partition -> partition / 1_000_000)
                        .collect(Collectors.groupingBy(bucket -> bucket, Collectors.counting()));
        assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(900L, 1_100L));
    }

    @Test
    void appendDesignsShareNoPartition() {
        long lastBucketed = Appends.BUCKETED.writtenAt(1_000_000_000).max().getAsLong();
        assertThat(lastBucketed).isLessThan(Appends.TIME_ORDERED.partitionOf(0));
        // Numbers of partitions have eight digits.
        assertThat(Appends.TIME_ORDERED.partitionOf(900_000_000)).isLessThan(100_000_000);
    }
}
