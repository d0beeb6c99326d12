package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.server.clock.ClockTrust;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClockStateTest {
    private static final Duration FRESH = Duration.ofSeconds(60);
    private static final Duration OLD = Duration.ofSeconds(61);
    private static final ClockState AHEAD = ClockState.RIGHT.told(true, Duration.ofHours(1), false);

    @Test
    void nodeMayNotLead_onceItIsToldThatItsClockIsAhead() {
        assertThat(ClockState.RIGHT.mayLead()).isTrue();
        assertThat(AHEAD.mayLead()).isFalse();
        assertThat(AHEAD.told(true, Duration.ZERO, true).mayLead()).isTrue();
    }

    @Test
    void whatWasToldHolds_whenManagerCannotJudge() {
        assertThat(AHEAD.told(false, Duration.ZERO, false).mayLead()).isFalse();
        assertThat(ClockState.RIGHT.told(false, Duration.ofHours(1), false).mayLead()).isTrue();
    }

    @Test
    void clockIsTrusted_whileManagersSayThatItAgrees() {
        ClockState agrees = ClockState.RIGHT.told(true, Duration.ZERO, true);
        assertThat(agrees.trust(FRESH)).isEqualTo(ClockTrust.AGREES);
        assertThat(agrees.trust(OLD)).isEqualTo(ClockTrust.UNJUDGED);
        assertThat(agrees.told(false, Duration.ZERO, true).trust(FRESH))
                .isEqualTo(ClockTrust.UNJUDGED);
        assertThat(ClockState.RIGHT.trust(FRESH)).isEqualTo(ClockTrust.UNJUDGED);
    }

    @Test
    void clockIsDistrusted_onceToldAheadOrBehind() {
        ClockState behind = ClockState.RIGHT.told(true, Duration.ZERO, false);
        assertThat(behind.mayLead()).isTrue();
        assertThat(behind.trust(FRESH)).isEqualTo(ClockTrust.DIFFERS);
        assertThat(behind.trust(OLD)).as("until told otherwise").isEqualTo(ClockTrust.DIFFERS);
        assertThat(AHEAD.told(false, Duration.ZERO, false).trust(FRESH))
                .isEqualTo(ClockTrust.DIFFERS);
    }
}
