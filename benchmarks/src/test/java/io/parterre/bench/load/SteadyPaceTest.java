package io.parterre.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SteadyPaceTest {
    private final Pace pace = new SteadyPace(1_000, 5_000_000);

    @Test
    void steadyPaceSchedulesEvenly_whenAnswersAreInTime() {
        assertThat(pace.dueNanos(0, 4_000_000)).isEqualTo(5_000_000);
        assertThat(pace.dueNanos(0, 5_200_000)).isEqualTo(6_000_000);
        assertThat(pace.dueNanos(0, 6_900_000)).isEqualTo(7_000_000);
    }

    @Test
    void steadyPaceCatchesUpSmallDelayButNotLongSilence() {
        assertThat(pace.dueNanos(0, 5_000_000)).isEqualTo(5_000_000);
        // Late by half a distance: the next one is where it would have been.
        assertThat(pace.dueNanos(0, 6_500_000)).isEqualTo(6_500_000);
        assertThat(pace.dueNanos(0, 6_600_000)).isEqualTo(7_000_000);
        // Late by a second: a thousand are not asked for at once.
        assertThat(pace.dueNanos(0, 1_007_000_000)).isEqualTo(1_007_000_000);
        assertThat(pace.dueNanos(0, 1_007_100_000)).isEqualTo(1_007_100_000);
        assertThat(pace.dueNanos(0, 1_007_200_000)).isEqualTo(1_008_000_000);
    }
}
