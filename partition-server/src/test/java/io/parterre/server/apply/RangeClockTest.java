package io.parterre.server.apply;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RangeClockTest {
    /** Of a clock that was far ahead; three entities were written under it. */
    private static final long AHEAD = 1_000_000;

    private final RangeClock clock = new RangeClock();

    @BeforeEach
    void poison() {
        write(100);
        for (int i = 0; i < 3; i++) {
            write(AHEAD);
        }
    }

    private long write(long stamp) {
        return write(clock, stamp);
    }

    static long write(RangeClock clock, long stamp) {
        clock.advance(stamp);
        long given = clock.next(clock.lastTimestampTicks());
        clock.used(given);
        return given;
    }

    @Test
    void timestampsArePresent_afterReset() {
        assertThat(write(101)).as("before it").isEqualTo(AHEAD + 3);

        assertThat(clock.reset(200, AHEAD, AHEAD)).isTrue();

        assertThat(clock.nowTicks()).isEqualTo(200);
        assertThat(write(200)).isEqualTo(200);
        assertThat(write(200)).isEqualTo(201);
        assertThat(write(300)).isEqualTo(300);
    }

    @Test
    void timestampsPassUsedOnes_whenTimeReachesThem() {
        clock.reset(200, AHEAD, AHEAD - 10);
        assertThat(clock.usedAhead()).containsExactly(new TickInterval(AHEAD - 10, AHEAD + 2));

        assertThat(write(AHEAD - 11)).isEqualTo(AHEAD - 11);
        assertThat(write(AHEAD - 11)).isEqualTo(AHEAD + 3);
        assertThat(write(AHEAD - 5)).isEqualTo(AHEAD + 4);
        assertThat(write(AHEAD + 50)).isEqualTo(AHEAD + 50);
    }

    @Test
    void nothingChanges_whenClockWasResetAlreadyOrIsNotAhead() {
        assertThat(clock.reset(AHEAD, AHEAD, AHEAD)).isFalse();
        assertThat(clock.reset(200, AHEAD, AHEAD)).isTrue();
        assertThat(clock.reset(150, AHEAD, AHEAD)).as("repeated").isFalse();
        assertThat(clock.nowTicks()).isEqualTo(200);
    }

    /** As when the clock was an hour ahead for longer than that. */
    @Test
    void timeGoesBackButTimestampsGrow_whenPresentWasUsedAlready() {
        assertThat(clock.reset(200, AHEAD, 150)).isTrue();

        assertThat(clock.nowTicks()).isEqualTo(200);
        assertThat(write(200)).isEqualTo(AHEAD + 3);
        assertThat(write(300)).isEqualTo(AHEAD + 4);
        assertThat(clock.nowTicks()).isEqualTo(300);
    }

    @Test
    void intervalsStayApartAndFew_whenClockIsResetAgainAndAgain() {
        long now = 200;
        for (int i = 1; i <= 20; i++) {
            clock.reset(now, clock.nowTicks(), clock.nowTicks());
            write(now);
            write(i * AHEAD);
            now += 100;
        }
        clock.reset(now, clock.nowTicks(), clock.nowTicks());
        assertThat(clock.usedAhead()).hasSize(RangeClock.INTERVALS_MAX);
        assertThat(write(now)).isEqualTo(now);
    }

    @Test
    void intervalIsForgotten_onceAResetIsLater() {
        clock.reset(200, AHEAD, AHEAD);
        write(3 * AHEAD);

        clock.reset(2 * AHEAD, 3 * AHEAD, 3 * AHEAD);

        assertThat(clock.usedAhead()).containsExactly(new TickInterval(3 * AHEAD, 3 * AHEAD));
        assertThat(write(2 * AHEAD)).isEqualTo(2 * AHEAD);
    }

    @Test
    void noTimestampIsUsedAhead_whenEntitiesWereWrittenBeforeAlone() {
        RangeClock idle = new RangeClock();
        write(idle, 100);
        idle.advance(AHEAD);

        assertThat(idle.reset(200, AHEAD, AHEAD)).isTrue();

        assertThat(idle.usedAhead()).isEmpty();
        assertThat(write(idle, 200)).isEqualTo(200);
    }

    @Test
    void joinedClockPassesTimestampsOfBoth() {
        RangeClock other = new RangeClock();
        write(other, 3 * AHEAD);
        other.reset(190, 3 * AHEAD, 3 * AHEAD);
        clock.reset(200, AHEAD, AHEAD);

        clock.join(other);

        assertThat(clock.usedAhead())
                .containsExactly(
                        new TickInterval(AHEAD, AHEAD + 2), new TickInterval(3 * AHEAD, 3 * AHEAD));
        assertThat(write(AHEAD)).isEqualTo(AHEAD + 3);
        assertThat(write(3 * AHEAD)).isEqualTo(3 * AHEAD + 1);
    }
}
