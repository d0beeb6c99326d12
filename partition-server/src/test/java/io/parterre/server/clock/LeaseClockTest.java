package io.parterre.server.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LeaseClockTest {
    private static final Duration LEASE = Duration.ofMillis(640);
    private static final Duration TOLERANCE = Duration.ofMillis(50);

    private long nanos = 1_000_000_000L;
    private long wallMillis = 1_700_000_000_000L;
    private final LeaseClock clock =
            new LeaseClock(() -> Instant.ofEpochMilli(wallMillis), () -> nanos, LEASE, TOLERANCE);

    private void pass(long monotonicMillis, long byWallMillis) {
        nanos += Duration.ofMillis(monotonicMillis).toNanos();
        wallMillis += byWallMillis;
    }

    @Test
    void leaseIsTrusted_whileClocksAgree() {
        for (int i = 0; i < 10_000; i++) {
            pass(7, 7);
            assertThat(clock.isTrusted()).isTrue();
        }
        pass(86_400_000, 86_400_000);
        assertThat(clock.isTrusted()).isTrue();
    }

    /** The monotonic clock has stood still for five seconds. */
    @Test
    void leaseIsDistrusted_untilOneCanHaveBeenGrantedAfterSuspension() {
        pass(10, 5_010);
        assertThat(clock.isTrusted()).isFalse();
        pass(640, 640);
        assertThat(clock.isTrusted()).isFalse();
        pass(1, 1);
        assertThat(clock.isTrusted()).isTrue();
    }

    /** The thread lost the processor between its looks at the two clocks. */
    @Test
    void leaseIsTrusted_whenLookAtBothClocksTakesLong() {
        AtomicInteger looks = new AtomicInteger();
        LeaseClock looked =
                new LeaseClock(
                        () -> Instant.ofEpochMilli(wallMillis),
                        () -> {
                            long read = nanos;
                            if (looks.incrementAndGet() == 3) {
                                pass(200, 200);
                            }
                            return read;
                        },
                        LEASE,
                        TOLERANCE);
        pass(10, 10);
        assertThat(looked.isTrusted()).isTrue();
        assertThat(looks.get()).isGreaterThan(4);
    }

    @Test
    void leaseIsDistrusted_whenWallClockIsSetBack() {
        pass(10, -3_600_000);
        assertThat(clock.isTrusted()).isFalse();
    }

    @Test
    void leaseIsTrusted_whileWallClockIsSlewed() {
        for (int minute = 0; minute < 600; minute++) {
            pass(60_000, 60_030);
            assertThat(clock.isTrusted()).isTrue();
        }
    }

    /** Many reads in between do not hide a leap that comes in small parts. */
    @Test
    void leaseIsDistrusted_whenClocksPartWithinASecond() {
        boolean trusted = true;
        for (int i = 0; i < 60 && trusted; i++) {
            pass(1, 2);
            trusted = clock.isTrusted();
        }
        assertThat(trusted).isFalse();
    }
}
