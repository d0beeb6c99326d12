package io.parterre.chaos.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DurationsTest {
    private final Durations durations = new Durations();

    @Test
    void durationsPrintPercentilesAndMaximum() {
        for (int i = 100; i >= 1; i--) {
            durations.add(Duration.ofMillis(i));
        }
        assertThat(durations).hasToString("count=100 p50=50ms p99=99ms max=100ms");
    }

    @Test
    void durationsPrintPercentiles_whenEmptyOrSingle() {
        assertThat(durations).hasToString("count=0 p50=0ms p99=0ms max=0ms");
        durations.add(Duration.ofMillis(7));
        assertThat(durations).hasToString("count=1 p50=7ms p99=7ms max=7ms");
    }
}
