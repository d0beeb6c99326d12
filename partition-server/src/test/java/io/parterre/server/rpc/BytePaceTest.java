package io.parterre.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class BytePaceTest {
    private static final long SECOND = 1_000_000_000;

    /** Sends parts back to back; how long that takes, in nanoseconds. */
    private static long send(BytePace pace, long from, int parts, int partBytes) {
        long now = from;
        for (int i = 0; i < parts; i++) {
            now += pace.reserve(now, partBytes);
        }
        return now - from;
    }

    @Test
    void longTransferKeepsToByteRate() {
        long took = send(new BytePace(1_000_000), 77, 1_000, 10_000);
        assertThat(took).isBetween(9 * SECOND, 10 * SECOND);
    }

    @Test
    void concurrentTransfersShareByteRate() {
        BytePace pace = new BytePace(1_000_000);
        long first = 0;
        long second = 0;
        for (int i = 0; i < 500; i++) {
            first += pace.reserve(first, 10_000);
            second += pace.reserve(second, 10_000);
        }
        assertThat(Math.max(first, second)).isBetween(9 * SECOND, 10 * SECOND);
    }

    @Test
    void bytePaceAllowsOnlySmallBurst_afterIdleTime() {
        BytePace pace = new BytePace(1_000_000);
        send(pace, 0, 100, 10_000);
        long took = send(pace, 3_600 * SECOND, 100, 10_000);
        assertThat(took).isBetween(7 * SECOND / 10, SECOND);
    }

    @Test
    void firstTransferNeedsNoWait_forAnyTickerOrigin() {
        assertThat(new BytePace(1_000).reserve(Long.MIN_VALUE + 5, 10)).isZero();
        assertThat(new BytePace(1_000).reserve(Long.MAX_VALUE - 5, 10)).isZero();
    }
}
