package io.parterre.server.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class DecayedRateTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static DecayedRate steady(DecayedRate rate, long perSecond, int seconds) {
        DecayedRate next = rate;
        for (int i = 0; i < seconds; i++) {
            next = next.after(perSecond, SECOND);
        }
        return next;
    }

    @Test
    void decayedRateIsExact_fromFirstSecondOfSteadyLoad() {
        assertThat(DecayedRate.NONE.perSecond()).isZero();
        assertThat(steady(DecayedRate.NONE, 300, 1).perSecond()).isEqualTo(300, within(1e-6));
        assertThat(steady(DecayedRate.NONE, 300, 60).perSecond()).isEqualTo(300, within(1e-6));
    }

    @Test
    void decayedRateIsIndependentOfSamplingInterval() {
        Random random = new Random(1);
        DecayedRate rate = DecayedRate.NONE;
        for (int i = 0; i < 1_000; i++) {
            int millis = 1 + random.nextInt(40);
            rate = rate.after(5L * millis, Duration.ofMillis(millis));
        }
        assertThat(rate.perSecond()).isEqualTo(5_000, within(1e-3));
        assertThat(rate.after(7, Duration.ZERO)).isEqualTo(rate);
    }

    @Test
    void decayedRateHalvesPerHalfLife_afterLoadEnds() {
        DecayedRate rate = steady(DecayedRate.NONE, 1_000, 100);
        assertThat(steady(rate, 0, 5).perSecond()).isEqualTo(500, within(1.0));
        assertThat(steady(rate, 0, 10).perSecond()).isEqualTo(250, within(1.0));
        assertThat(steady(rate, 0, 60).perSecond()).isLessThan(1);
    }

    @Test
    void decayedRateClosesHalfTheGapPerHalfLife_afterIdle() {
        DecayedRate idle = steady(DecayedRate.NONE, 0, 100);
        assertThat(steady(idle, 1_000, 5).perSecond()).isEqualTo(500, within(1.0));
        assertThat(steady(idle, 1_000, 10).perSecond()).isEqualTo(750, within(1.0));
    }

    /** Requests that waited for a split are not a load of thousands a second. */
    @Test
    void decayedRateCountsBurstOverOneSecond_whenObservedBriefly() {
        DecayedRate moment = DecayedRate.NONE.after(250, Duration.ofMillis(20));
        assertThat(moment.perSecond()).isBetween(250.0, 275.0);
    }
}
