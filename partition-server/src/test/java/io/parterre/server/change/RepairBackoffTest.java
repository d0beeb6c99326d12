package io.parterre.server.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RepairBackoffTest {
    private static final RangeId RANGE = new RangeId(7);

    private final RepairBackoff pauses = new RepairBackoff();
    private long nowNanos = Long.MAX_VALUE - 5;

    private void pass(Duration time) {
        nowNanos += time.toNanos();
    }

    private boolean isDue() {
        return pauses.isDue(RANGE, nowNanos);
    }

    @Test
    void repairBackoffDoublesUpToItsLimit_afterEachFailure() {
        assertThat(isDue()).isTrue();
        Duration pause = RepairBackoff.PAUSE_MIN;
        for (int i = 0; i < 20; i++) {
            pauses.failed(RANGE, nowNanos);
            pass(pause.minusNanos(1));
            assertThat(isDue()).isFalse();
            pass(Duration.ofNanos(1));
            assertThat(isDue()).isTrue();
            pause = pause.multipliedBy(2);
            if (pause.compareTo(RepairBackoff.PAUSE_MAX) > 0) {
                pause = RepairBackoff.PAUSE_MAX;
            }
        }
    }

    @Test
    void repairBackoffIsForgotten_onceReplicaIsGone() {
        pauses.failed(RANGE, nowNanos);
        pauses.retain(Set.of(RANGE));
        assertThat(isDue()).isFalse();
        pauses.retain(Set.of());
        assertThat(isDue()).isTrue();
    }

    @Test
    void repairBackoffIsPerRangeAndResets_afterRepair() {
        pauses.failed(RANGE, nowNanos);
        pauses.failed(RANGE, nowNanos);
        assertThat(pauses.isDue(new RangeId(8), nowNanos)).isTrue();
        pauses.mended(RANGE);
        pauses.failed(RANGE, nowNanos);
        pass(RepairBackoff.PAUSE_MIN);
        assertThat(isDue()).isTrue();
    }
}
