package io.parterre.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class LogBacklogTest {
    private static final Duration NOTHING = Duration.ZERO;

    @Test
    void logSyncLagIsZero_whenEverythingIsSynced() {
        LogBacklog idle = LogBacklog.NONE.next(7, 7, 100).next(7, 7, 10_000);
        assertThat(idle.age(20_000)).isEqualTo(NOTHING);
    }

    @Test
    void logSyncLagGrows_whileSyncStalls() {
        LogBacklog still = LogBacklog.NONE.next(7, 8, 100).next(7, 9, 5_000).next(7, 30, 9_000);
        assertThat(still.age(10_000)).isEqualTo(Duration.ofNanos(9_900));
    }

    @Test
    void logSyncLagRestarts_afterEachSync() {
        LogBacklog slow = LogBacklog.NONE.next(7, 20, 100).next(8, 20, 5_000);
        assertThat(slow.age(6_000)).isEqualTo(Duration.ofNanos(1_000));
        assertThat(slow.next(20, 20, 7_000).age(9_000)).isEqualTo(NOTHING);
    }

    @Test
    void logSyncLagRestarts_whenLogIsTruncated() {
        LogBacklog truncated = LogBacklog.NONE.next(7, 20, 100).next(5, 20, 5_000);
        assertThat(truncated.age(6_000)).isEqualTo(Duration.ofNanos(1_000));
    }
}
