package io.parterre.manager.plan.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.plan.policy.Demand;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LoadPeakTest {
    private static final Instant START = Instant.ofEpochSecond(1_000_003);

    private Optional<LoadPeak> peak = Optional.empty();

    private void hears(int second, double operations) {
        peak =
                Optional.of(
                        LoadPeak.next(
                                peak,
                                new Demand(operations, operations * 2),
                                START.plusSeconds(second)));
    }

    private Optional<Double> at(int second) {
        Optional<Demand> most = peak.orElseThrow().most(START.plusSeconds(second));
        most.ifPresent(
                each -> assertThat(each.cpuPermille()).isEqualTo(each.operationsPerSecond() * 2));
        return most.map(Demand::operationsPerSecond);
    }

    @Test
    void loadPeakIsUnknown_untilFiveMinutesAreObserved() {
        for (int second = 0; second <= 299; second++) {
            hears(second, 10);
        }
        assertThat(at(299)).isEmpty();
        hears(300, 10);
        assertThat(at(300)).contains(10.0);
    }

    @Test
    void loadPeakForgetsASpike_afterFiveToSixMinutes() {
        for (int second = 0; second <= 1_000; second++) {
            hears(second, second == 400 ? 900 : 1);
            if (second >= 400 && second <= 700) {
                assertThat(at(second)).as("second %s", second).contains(900.0);
            }
            if (second >= 760 || second >= 300 && second < 400) {
                assertThat(at(second)).as("second %s", second).contains(1.0);
            }
        }
    }

    @Test
    void loadPeakWindowRestarts_afterReportsStop() {
        for (int second = 0; second <= 400; second++) {
            hears(second, 10);
        }
        assertThat(at(430)).contains(10.0);
        assertThat(at(431)).isEmpty();
        hears(440, 10);
        assertThat(at(440)).isEmpty();
        for (int second = 441; second <= 740; second++) {
            hears(second, 5);
        }
        assertThat(at(740)).contains(10.0);
    }
}
