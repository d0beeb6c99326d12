package io.parterre.manager.lead;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.plan.view.Leftover;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DrainPaceTest {
    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

    @Test
    void drainPaceIsUnknown_beforeAReplicaLeavesOrTimePasses() {
        assertThat(DrainPace.of(new Leftover(4, 400), new Leftover(4, 390), TEN_SECONDS)).isEmpty();
        assertThat(DrainPace.of(new Leftover(4, 400), new Leftover(3, 300), Duration.ZERO))
                .isEmpty();
    }

    @Test
    void drainPaceFollowsBytes_whenByteSizesAreKnown() {
        // A small replica went first; the large one takes longer.
        assertThat(DrainPace.of(new Leftover(2, 1_000), new Leftover(1, 900), TEN_SECONDS))
                .contains(new DrainPace(10, 90));
    }

    @Test
    void drainPaceFollowsReplicaCount_whenBytesAreUnknownOrGrow() {
        assertThat(DrainPace.of(new Leftover(4, 0), new Leftover(3, 0), TEN_SECONDS))
                .contains(new DrainPace(0, 30));
        // Those that are left have grown meanwhile.
        assertThat(DrainPace.of(new Leftover(4, 100), new Leftover(2, 200), TEN_SECONDS))
                .contains(new DrainPace(0, 10));
    }

    @Test
    void remainingDrainTimeIsAtLeastOneSecond_whileReplicasRemain() {
        assertThat(
                        DrainPace.of(new Leftover(100, 1_000_000), new Leftover(1, 1), TEN_SECONDS)
                                .orElseThrow()
                                .secondsToGo())
                .isEqualTo(1);
    }
}
