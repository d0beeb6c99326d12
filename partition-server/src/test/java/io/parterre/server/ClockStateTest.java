package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClockStateTest {
    @Test
    void nodeMayNotLead_onceItIsToldThatItsClockIsAhead() {
        ClockState ahead = ClockState.RIGHT.told(true, Duration.ofHours(1));
        assertThat(ClockState.RIGHT.mayLead()).isTrue();
        assertThat(ahead.mayLead()).isFalse();
        assertThat(ahead.told(true, Duration.ZERO).mayLead()).isTrue();
    }

    @Test
    void whatWasToldHolds_whenManagerCannotJudge() {
        ClockState ahead = ClockState.RIGHT.told(true, Duration.ofHours(1));
        assertThat(ahead.told(false, Duration.ZERO)).isEqualTo(ahead);
        assertThat(ClockState.RIGHT.told(false, Duration.ofHours(1)).mayLead()).isTrue();
    }
}
