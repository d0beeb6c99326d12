package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class DiskStateTest {
    private static final DiskConfig CONFIG =
            new DiskConfig(Duration.ofSeconds(4), Duration.ofSeconds(30));
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private static DiskState after(int logSeconds, int storeSeconds, long nowNanos) {
        return DiskState.WORKS.next(
                Duration.ofSeconds(logSeconds), Duration.ofSeconds(storeSeconds), CONFIG, nowNanos);
    }

    @Test
    void diskIsNotStalled_whenSyncOrFlushIsOnlySlow() {
        assertThat(after(3, 0, 0).stalled()).isFalse();
        assertThat(after(0, 19, 0).stalled()).as("a flush may take its time").isFalse();
    }

    @Test
    void diskIsStalled_whenSyncOrFlushExceedsItsLimit() {
        assertThat(after(4, 0, 0).stalled()).isTrue();
        assertThat(after(0, 20, 0).stalled()).isTrue();
    }

    @Test
    void stallStartIsKept_untilDiskRespondsAgain() {
        DiskState stalled = after(4, 0, SECOND);
        DiskState still = stalled.next(Duration.ofSeconds(33), Duration.ZERO, CONFIG, 29 * SECOND);
        assertThat(still.sinceNanos()).isEqualTo(SECOND);
        DiskState again =
                still.next(Duration.ZERO, Duration.ZERO, CONFIG, 29 * SECOND)
                        .next(Duration.ofSeconds(4), Duration.ZERO, CONFIG, 35 * SECOND);
        assertThat(again.sinceNanos()).isEqualTo(35 * SECOND);
    }
}
