package io.parterre.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RecordersTest {
    private static final long MILLI = 1_000_000;

    @Test
    void timedRecorderCountsOnlyAnswersWithinDuration() {
        TimedRecorder recorder = new TimedRecorder(0, Duration.ofSeconds(2));
        recorder.answered(0, 10 * MILLI, 100);
        recorder.answered(0, 20 * MILLI, 100);
        recorder.answered(1_999 * MILLI, 2_000 * MILLI, 100);
        recorder.failed(2_001 * MILLI, "status 503", "busy");

        Measurement result = recorder.result();
        assertThat(result.operations()).isEqualTo(2);
        assertThat(result.operationsPerSecond()).isEqualTo(1);
        assertThat(result.entitiesPerSecond()).isEqualTo(100);
        assertThat(result.latency().p50()).isCloseTo(10_000, within(10.0));
        assertThat(result.latency().max()).isCloseTo(20_000, within(20.0));
        assertThat(result.errors()).isEqualTo(Map.of("status 503", 1L));
    }

    @Test
    void measurementIncludesErrorsOfWarmUp() {
        TimedRecorder warmUp = new TimedRecorder(0, Duration.ofSeconds(1));
        warmUp.failed(1, "status 500", "first");
        TimedRecorder measured = new TimedRecorder(0, Duration.ofSeconds(1));
        measured.failed(1, "status 500", "second");

        Measurement result = measured.result().withErrorsOf(warmUp.result());
        assertThat(result.errorCount()).isEqualTo(2);
        assertThat(result.firstErrors()).isEqualTo(Map.of("status 500", "first"));
    }

    @Test
    void tenthsRecorderReportsRatePerTenthAndLongestStall() {
        TenthsRecorder recorder = new TenthsRecorder(1_000, 0);
        for (int i = 1; i <= 9; i++) {
            recorder.answered((i - 1L) * 100 * MILLI, i * 100L * MILLI, 100);
        }
        recorder.answered(850 * MILLI, 1_300 * MILLI, 100);

        assertThat(recorder.loaded()).isEqualTo(1_000);
        assertThat(recorder.tenths())
                .isEqualTo(List.of(1e3, 1e3, 1e3, 1e3, 1e3, 1e3, 1e3, 1e3, 1e3, 250.0));
        assertThat(recorder.lastByFirst()).isEqualTo(0.25);
        assertThat(recorder.longestStall()).isEqualTo(Duration.ofMillis(400));
        assertThat(recorder.longestAnswer()).isEqualTo(Duration.ofMillis(450));
        assertThat(recorder.perSecond()).isCloseTo(769.2, within(0.1));
    }

    @Test
    void secondsRecorderCountsAnswersOfEachSecond() {
        SecondsRecorder recorder = new SecondsRecorder(3, 500 * MILLI);
        recorder.answered(500 * MILLI, 501 * MILLI, 1);
        recorder.answered(500 * MILLI, 1_499 * MILLI, 1);
        recorder.answered(500 * MILLI, 1_500 * MILLI, 1);
        recorder.answered(3_000 * MILLI, 3_501 * MILLI, 1);
        recorder.failed(1, "status 500", "first");

        assertThat(recorder.perSecond()).isEqualTo(List.of(2L, 1L, 0L));
        assertThat(recorder.firstErrors()).isEqualTo(Map.of("status 500", "first"));
    }
}
