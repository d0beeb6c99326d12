package io.parterre.server.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
    private static final long WALL = Duration.ofDays(20_000).toNanos();

    private static long seconds(long seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }

    @Test
    void clockIsSteady_sinceItWasFirstLookedAt() {
        SteadyClock clock = SteadyClock.begin(5, WALL);
        for (int i = 1; i <= 10; i++) {
            // Slewed by half a millisecond a second.
            long nanos = seconds(30L * i);
            clock = clock.next(5 + nanos, WALL + nanos + nanos / 2_000);
        }
        assertThat(clock.steadyFor()).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void steadyTimeRestarts_whenClockIsSet() {
        SteadyClock clock = SteadyClock.begin(0, WALL).next(seconds(300), WALL + seconds(300));
        for (long step : new long[] {2, -2, 86_400, -86_400}) {
            SteadyClock set = clock.next(seconds(330), WALL + seconds(330 + step));
            assertThat(set.steadyFor()).as("by %s s", step).isZero();
            assertThat(set.next(seconds(360), WALL + seconds(360 + step)).steadyFor())
                    .isEqualTo(Duration.ofSeconds(30));
        }
    }
}
