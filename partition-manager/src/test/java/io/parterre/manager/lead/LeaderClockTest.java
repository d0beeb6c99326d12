package io.parterre.manager.lead;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class LeaderClockTest {
    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");

    private Instant wall = BEGIN;
    private long nanos = 17;
    private final LeaderClock clock = new LeaderClock(() -> wall, () -> nanos);

    @Test
    void leaderClockFollowsTicker_whenWallClockIsStepped() {
        nanos += Duration.ofSeconds(5).toNanos();
        wall = BEGIN.plus(Duration.ofHours(1));
        assertThat(clock.instant()).isEqualTo(BEGIN.plusSeconds(5));
        nanos += Duration.ofSeconds(5).toNanos();
        wall = BEGIN.minus(Duration.ofHours(1));
        assertThat(clock.instant()).isEqualTo(BEGIN.plusSeconds(10));
    }

    @Test
    void leaderClockStartsAtWallClock_whenLeadershipBegins() {
        wall = BEGIN.plus(Duration.ofHours(1));
        clock.restart();
        assertThat(clock.instant()).isEqualTo(wall);
    }
}
