package io.parterre.server.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ObservationTest {
    private static final Scope TABLE = Scope.ofTable(new AccountId(7), new ObjectId(11));
    private static final RangeDescriptor RANGE = range(KeyRange.ALL, 1);

    private long spentNanos;
    private final LoadMeter meter = new LoadMeter(new Random(7)::nextInt, () -> spentNanos);
    private long nowNanos = 1_000_000_000_000L;

    private static RangeDescriptor range(KeyRange bounds, long generation) {
        return new RangeDescriptor(
                new RangeId(1), bounds, new Generation(generation), List.of(new NodeId("node-1")));
    }

    private Observation begin() {
        return Observation.begin(RANGE, 3, meter, nowNanos);
    }

    private void work(int reads, int writes, int partitions) {
        for (int i = 0; i < reads; i++) {
            meter.sample(key(i * 31 % partitions), meter.read(1, 100));
        }
        for (int i = 0; i < writes; i++) {
            meter.sample(key(i * 31 % partitions), meter.write(1, 1_000));
        }
    }

    private void spends(Duration time) {
        long begun = meter.cpu().begin(1);
        spentNanos += time.toNanos();
        meter.cpu().end(begun, 1);
    }

    private static Key key(int partition) {
        return KeyCodec.entity(TABLE, String.format("%03d", partition), "r");
    }

    private Observation second(Observation before, RangeDescriptor range, long term) {
        nowNanos += Duration.ofSeconds(1).toNanos();
        return before.next(range, term, meter, nowNanos);
    }

    @Test
    void observationExcludesLoad_fromBeforeItsStart() {
        work(10_000, 10_000, 100);
        RangeLoad load = begin().load();
        assertThat(load.operationsPerSecond()).isZero();
        assertThat(load.observed()).isZero();
        assertThat(load.profile()).isEqualTo(LoadProfile.UNKNOWN);
    }

    @Test
    void observationReportsMeasuredRatesAndSplitPoint() {
        Observation seen = begin();
        for (int i = 0; i < 10; i++) {
            work(2_000, 500, 100);
            meter.refuse();
            spends(Duration.ofMillis(350));
            seen = second(seen, RANGE, 3);
        }
        RangeLoad load = seen.load();
        assertThat(load.readsPerSecond()).isEqualTo(2_000, within(1.0));
        assertThat(load.writesPerSecond()).isEqualTo(500, within(1.0));
        assertThat(load.bytesPerSecond()).isEqualTo(700_000, within(100.0));
        assertThat(load.refusedPerSecond()).isEqualTo(1, within(0.01));
        assertThat(load.cpuPermille()).isEqualTo(350, within(0.01));
        assertThat(load.observed()).isEqualTo(Duration.ofSeconds(10));
        assertThat(load.profile().shape()).isEqualTo(LoadShape.SPREAD);
        assertThat(load.profile().splitPoint().orElseThrow()).isBetween(key(30), key(70));
    }

    @Test
    void observationRestarts_whenTermGenerationOrBoundsChange() {
        Observation seen = begin();
        work(5_000, 0, 100);
        seen = second(seen, RANGE, 3);
        assertThat(seen.load().profile().shape()).isEqualTo(LoadShape.SPREAD);

        KeyRange half = new KeyRange(Key.FIRST, key(50));
        for (Observation renewed :
                List.of(
                        seen.next(RANGE, 4, meter, nowNanos),
                        seen.next(range(KeyRange.ALL, 2), 3, meter, nowNanos),
                        seen.next(range(half, 1), 3, meter, nowNanos))) {
            assertThat(renewed.load().observed()).isZero();
            assertThat(renewed.load().operationsPerSecond()).isZero();
            assertThat(renewed.load().profile()).isEqualTo(LoadProfile.UNKNOWN);
        }
    }

    /** Samples of before are still kept, and would show the load as it lay then. */
    @Test
    void loadProfileIgnoresEarlierSamples_afterLeadershipChange() {
        work(50_000, 0, 100);
        Observation seen = second(second(begin(), RANGE, 3), RANGE, 4);
        work(3_200, 0, 1);
        assertThat(second(seen, RANGE, 4).load().profile().shape())
                .isEqualTo(LoadShape.ONE_PARTITION);
    }

    @Test
    void loadProfileIsKept_whileRangeIsIdle() {
        Observation seen = begin();
        work(5_000, 0, 100);
        seen = second(seen, RANGE, 3);
        LoadProfile before = seen.load().profile();
        seen = second(seen, RANGE, 3);
        assertThat(seen.load().profile()).isSameAs(before);
        assertThat(seen.load().readsPerSecond()).isBetween(1_000.0, 3_500.0);
    }
}
