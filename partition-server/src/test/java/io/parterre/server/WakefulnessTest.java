package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A pause of the process is no hung disk. */
final class WakefulnessTest {
    private static final DiskConfig CONFIG = DiskConfig.DEFAULT;
    private static final Duration GAP_MAX = Duration.ofSeconds(2);

    private static long nanos(double seconds) {
        return (long) (seconds * 1_000_000_000);
    }

    private static DiskState judged(Wakefulness awake, Duration logAge) {
        return DiskState.WORKS.next(
                awake.counted(logAge), Duration.ZERO, CONFIG, awake.lookedNanos());
    }

    @Test
    void diskIsNotStalled_whenLogStoodStillDuringProcessPause() {
        Wakefulness awake = Wakefulness.at(0).look(GAP_MAX, nanos(1)).look(GAP_MAX, nanos(61));
        assertThat(awake.hasJustWoken()).isTrue();
        assertThat(judged(awake, Duration.ofSeconds(60)).stalled()).isFalse();
        Wakefulness later = awake.look(GAP_MAX, nanos(62));
        assertThat(later.hasJustWoken()).isFalse();
        assertThat(judged(later, Duration.ofSeconds(61)).stalled())
                .as("a look may come before the log's writer has moved")
                .isFalse();
    }

    @Test
    void diskIsStalled_whenLogStaysStillAfterProcessPause() {
        Wakefulness awake = Wakefulness.at(0).look(GAP_MAX, nanos(61));
        for (int quarters = 1; quarters <= 16; quarters++) {
            assertThat(judged(awake, Duration.ofSeconds(60)).stalled()).isFalse();
            awake = awake.look(GAP_MAX, nanos(61 + quarters / 4.0));
        }
        assertThat(judged(awake, Duration.ofSeconds(64)).stalled()).isTrue();
    }

    @Test
    void stallTimeCountsInFull_whenCheckIsSlightlyLate() {
        Wakefulness awake = Wakefulness.at(0);
        for (int looks = 1; looks <= 4; looks++) {
            awake = awake.look(GAP_MAX, nanos(looks * 1.5));
        }
        assertThat(judged(awake, Duration.ofSeconds(5)).stalled()).isTrue();
    }
}
