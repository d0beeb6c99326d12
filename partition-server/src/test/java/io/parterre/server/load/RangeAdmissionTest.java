package io.parterre.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.error.BusyReason;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RangeAdmissionTest {
    private static final long MILLI = 1_000_000L;
    private static final RangeCap CAP = new RangeCap(80, 1_000, Duration.ofMillis(100));

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, WITHIN",
        "79, 999, 0, WITHIN",
        "80, 0, 0, OVER",
        "0, 1000, 0, OVER",
        "319, 3999, 0, OVER",
        "320, 0, 0, FULL",
        "0, 4000, 0, FULL",
        // A long wait counts once enough waits.
        "9, 0, 500, WITHIN",
        "10, 0, 100, WITHIN",
        "10, 0, 101, OVER",
    })
    void rangeCapRatesUsageAsWithinOverOrFull(
            int requests, long bytes, long waitMillis, Fill fill) {
        assertThat(CAP.fill(new RangeUsage(requests, bytes, waitMillis * MILLI))).isEqualTo(fill);
    }

    /** Kind, how full of it, how full of anything, hot, any hot, modest, spent: the answer. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "POINT_READ, WITHIN, WITHIN, false, false, false, false, -",
                "POINT_READ, OVER, OVER, false, false, false, false, -",
                "POINT_READ, OVER, OVER, true, true, false, false, HOT_PARTITION",
                "POINT_READ, FULL, FULL, false, false, false, false, RANGE_CAP",
                "POINT_READ, FULL, FULL, true, true, false, false, HOT_PARTITION",
                "COMMAND, WITHIN, FULL, false, false, false, false, -",
                "COMMAND, OVER, OVER, false, false, false, false, -",
                "COMMAND, OVER, OVER, true, true, false, false, HOT_PARTITION",
                "COMMAND, FULL, FULL, false, false, false, false, RANGE_CAP",
                "SCAN, WITHIN, WITHIN, false, false, false, false, -",
                "SCAN, WITHIN, OVER, false, false, false, false, RANGE_CAP",
                "SCAN, WITHIN, OVER, true, true, false, false, HOT_PARTITION",
                "SCAN, OVER, OVER, true, true, false, false, HOT_PARTITION",
                // Another partition is why, and gives way itself.
                "SCAN, WITHIN, OVER, false, true, false, false, -",
                "SCAN, WITHIN, FULL, false, true, false, false, -",
                "SCAN, OVER, OVER, false, true, false, false, -",
                "SCAN, OVER, OVER, false, false, false, false, RANGE_CAP",
                "SCAN, FULL, FULL, false, true, false, false, RANGE_CAP",
                // Other accounts are why.
                "SCAN, WITHIN, OVER, false, false, true, false, -",
                "SCAN, OVER, OVER, false, false, true, false, -",
                "SCAN, OVER, OVER, true, true, true, false, HOT_PARTITION",
                "SCAN, FULL, FULL, false, false, true, false, RANGE_CAP",
                // What a partition may be asked does not depend on how full its range is.
                "POINT_READ, WITHIN, WITHIN, false, false, false, true, HOT_PARTITION",
                "COMMAND, WITHIN, WITHIN, true, true, false, true, HOT_PARTITION",
            })
    void admissionRejectsRequestsByLoadKindAndHotPartition(
            RequestKind kind,
            Fill own,
            Fill worst,
            boolean hot,
            boolean anyHot,
            boolean modest,
            boolean spent,
            BusyReason why) {
        assertThat(RangeAdmission.refusal(kind, own, worst, hot, anyHot, modest, spent))
                .isEqualTo(Optional.ofNullable(why));
    }

    @Test
    void rangeIsOverCap_whenCapAndUsageAreOne() {
        RangeCap one = new RangeCap(1, 1, Duration.ofMillis(1));
        assertThat(one.fill(new RangeUsage(0, 0, Long.MAX_VALUE))).isEqualTo(Fill.WITHIN);
        assertThat(one.fill(new RangeUsage(1, 0, 0))).isEqualTo(Fill.OVER);
        assertThat(one.fill(new RangeUsage(4, 0, 0))).isEqualTo(Fill.FULL);
    }
}
