package io.parterre.server.clock;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.entity.Ticks;
import io.parterre.server.apply.RangeTime;
import io.parterre.server.clock.ClockResetDecision.Leave;
import io.parterre.server.clock.ClockResetDecision.Reason;
import io.parterre.server.clock.ClockResetDecision.Reset;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ClockResetDecisionTest {
    private static final long NOW = Ticks.of(Instant.parse("2026-03-01T00:00:00Z"));
    private static final long AHEAD = Ticks.of(Instant.parse("2035-01-01T00:00:00Z"));
    private static final RangeTime POISONED = new RangeTime(AHEAD, AHEAD + 70);
    private static final Duration ENOUGH = ClockResetDecision.PATIENCE;
    private static final Duration ENOUGH_ALONE = ClockResetDecision.PATIENCE_ALONE;

    private static ClockResetDecision decide(
            Duration aheadFor, Duration steadyFor, ClockTrust trust) {
        return ClockResetDecision.decide(POISONED, NOW, aheadFor, steadyFor, trust);
    }

    private static ClockResetDecision agreed(RangeTime time) {
        return ClockResetDecision.decide(time, NOW, ENOUGH, ENOUGH, ClockTrust.AGREES);
    }

    private static long day() {
        return 86_400 * Ticks.PER_SECOND;
    }

    @Test
    void clockIsReset_whenAheadForLongAndOwnClockAgrees() {
        assertThat(decide(ENOUGH, ENOUGH, ClockTrust.AGREES))
                .isEqualTo(new Reset(AHEAD, AHEAD - day()));
    }

    @Test
    void clockStays_whenNotFarAhead() {
        long bound = NOW + 300 * Ticks.PER_SECOND;
        for (long time : new long[] {Long.MIN_VALUE, NOW - day(), NOW, bound}) {
            assertThat(agreed(new RangeTime(time, time))).isEqualTo(new Leave(Reason.NOT_AHEAD));
        }
        assertThat(agreed(new RangeTime(bound + 1, bound + 1))).isInstanceOf(Reset.class);
    }

    @Test
    void clockStays_whileOwnClockDiffers() {
        assertThat(decide(ENOUGH_ALONE, ENOUGH_ALONE, ClockTrust.DIFFERS))
                .isEqualTo(new Leave(Reason.CLOCK_DIFFERS));
    }

    @Test
    void clockStays_untilAheadAndSteadyForLong() {
        Duration less = ENOUGH.minusNanos(1);
        assertThat(decide(less, ENOUGH, ClockTrust.AGREES)).isEqualTo(new Leave(Reason.TOO_EARLY));
        assertThat(decide(ENOUGH, less, ClockTrust.AGREES)).isEqualTo(new Leave(Reason.TOO_EARLY));
    }

    @Test
    void clockIsResetLater_whenOwnClockIsUnjudged() {
        Duration less = ENOUGH_ALONE.minusNanos(1);
        assertThat(decide(less, ENOUGH_ALONE, ClockTrust.UNJUDGED))
                .isEqualTo(new Leave(Reason.TOO_EARLY));
        assertThat(decide(ENOUGH_ALONE, less, ClockTrust.UNJUDGED))
                .isEqualTo(new Leave(Reason.TOO_EARLY));
        assertThat(decide(ENOUGH_ALONE, ENOUGH_ALONE, ClockTrust.UNJUDGED))
                .isInstanceOf(Reset.class);
    }

    @Test
    void usedTimestampsBeginADayBeforeTheLast() {
        long hours = 3 * 3_600 * Ticks.PER_SECOND;
        assertThat(agreed(new RangeTime(NOW + hours, NOW + hours + 5)))
                .as("before the present: timestamps go on")
                .isEqualTo(new Reset(NOW + hours, NOW + hours - day()));
        assertThat(agreed(new RangeTime(AHEAD, AHEAD - 10 * day())))
                .as("entities were written before it was so far ahead")
                .isEqualTo(new Reset(AHEAD, AHEAD - 11 * day()));
        assertThat(agreed(new RangeTime(AHEAD, NOW - day())))
                .as("no entity was written ahead")
                .isEqualTo(new Reset(AHEAD, AHEAD));
    }
}
