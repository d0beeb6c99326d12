package io.parterre.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WarmUpTest {
    @Test
    void sharesAreOfTheRateOfTheLastSixth() {
        WarmUp run =
                new WarmUp(List.of(10L, 20L, 30L, 40L, 60L, 60L, 60L, 60L, 60L, 60L, 80L, 120L));
        assertThat(run.steady()).isEqualTo(100);
        assertThat(run.share(1)).isEqualTo(0.1);
        assertThat(run.share(5)).isEqualTo(0.6);
        assertThat(run.shareOfFirst(4)).isEqualTo(0.25);
        assertThat(run.told())
                .isEqualTo(
                        "second 1: 0.10, second 2: 0.20, second 5: 0.60, second 10: 0.60 of 100/s");
    }

    @Test
    void laterSecondsAreTold_whenRunIsLong() {
        List<Long> seconds = new ArrayList<>(Collections.nCopies(90, 200L));
        seconds.set(0, 50L);
        seconds.set(59, 150L);
        WarmUp run = new WarmUp(seconds);
        assertThat(run.told()).contains("second 1: 0.25").contains("second 60: 0.75 of 200/s");
        assertThat(run.shareOfFirst(10)).isCloseTo(0.925, within(1e-9));
    }

    @Test
    void noShareIsTold_whenNothingWasAnswered() {
        assertThat(new WarmUp(Collections.nCopies(6, 0L)).share(1)).isNaN();
        assertThatThrownBy(() -> new WarmUp(List.of(1L, 2L)))
                .hasMessage("seconds: 2 (expected: 6 or more)");
    }
}
