package io.parterre.chaos.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PulseTest {
    private final Pulse pulse = new Pulse();

    @Test
    void pulseRecoveryEndsWithFirstWriteBegunAfterFault() {
        pulse.watchFrom(millis(1_000));
        pulse.beat(millis(990), millis(1_010));
        assertThat(pulse.recovery()).isEmpty();
        pulse.beat(millis(1_020), millis(2_500));
        pulse.beat(millis(2_500), millis(2_600));
        assertThat(pulse.recovery()).contains(Duration.ofMillis(1_500));
    }

    @Test
    void pulseReportsLongestGapBetweenWrites() {
        pulse.watchFrom(millis(1_000));
        pulse.beat(millis(1_000), millis(1_100));
        pulse.beat(millis(1_100), millis(1_900));
        pulse.beat(millis(1_150), millis(1_950));
        assertThat(pulse.longestSilence()).isEqualTo(Duration.ofMillis(800));
    }

    @Test
    void pulseKeepsWriteLatencies_untilTaken() {
        pulse.watchFrom(millis(1_000));
        pulse.beat(millis(1_000), millis(1_100));
        pulse.beat(millis(1_100), millis(1_900));
        assertThat(pulse.takeLatencies().millis()).containsExactly(100L, 800L);
        assertThat(pulse.takeLatencies().count()).isZero();
        pulse.beat(millis(2_000), millis(2_010));
        pulse.watchFrom(millis(3_000));
        assertThat(pulse.takeLatencies().count()).isZero();
    }

    @Test
    void pulseIsReset_whenNextFaultIsWatched() {
        pulse.watchFrom(millis(1_000));
        pulse.beat(millis(1_000), millis(5_000));
        pulse.watchFrom(millis(6_000));
        assertThat(pulse.recovery()).isEmpty();
        assertThat(pulse.longestSilence()).isZero();
    }

    private static long millis(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
