package io.parterre.raftlink;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class HeartbeatScheduleTest {
    /** Beats at 0, 400, 800 ms and so on. */
    private static final HeartbeatSchedule BEAT = new HeartbeatSchedule(400, 200, 0);

    @Test
    void heartbeatIsSentOnEachBeat_whenGroupIsIdle() {
        // Sent at 4,000 and answered at 4,003, so due at 4,403.
        assertThat(BEAT.waitMillis(4_003, 400, 3)).isEqualTo(397);
        assertThat(BEAT.waitMillis(4_399, 4, 399)).isEqualTo(1);
        assertThat(BEAT.waitMillis(4_400, 3, 400)).isZero();
    }

    @Test
    void heartbeatIsSentAtOnce_whenBeatWasMissed() {
        assertThat(BEAT.waitMillis(4_450, 100, 500)).isLessThanOrEqualTo(0);
        assertThat(BEAT.waitMillis(4_450, 0, 500)).isZero();
        assertThat(BEAT.waitMillis(4_450, -7, 500)).isEqualTo(-7);
    }

    @Test
    void heartbeatIsResentOnlyAfterPause_whenUnanswered() {
        // The last answer is of long ago, so Ratis waits for a quarter of the timeout alone.
        assertThat(BEAT.waitMillis(4_001, 199, 1)).isEqualTo(199);
        assertThat(BEAT.waitMillis(4_150, 50, 150)).isEqualTo(50);
    }

    @Test
    void heartbeatOffsetIsStableAndSpreadAcrossNodePairs() {
        List<Long> offsets = new ArrayList<>();
        for (int from = 1; from <= 5; from++) {
            for (int to = 1; to <= 5; to++) {
                offsets.add(HeartbeatSchedule.of(800, "s" + from, "s" + to).offsetMillis());
            }
        }
        assertThat(offsets).allMatch(offset -> offset >= 0 && offset < 400);
        // In no tenth of the time more than a third of them.
        Map<Long, Long> tenths =
                offsets.stream().collect(groupingBy(offset -> offset / 40, counting()));
        assertThat(tenths.values()).allMatch(count -> count <= 8);
        assertThat(HeartbeatSchedule.of(800, "s1", "s2"))
                .isEqualTo(HeartbeatSchedule.of(800, "s1", "s2"));
    }

    @Property
    void heartbeatsToOneNodeShareBeatAndAreNeverLate(
            @ForAll @IntRange(max = 100_000) int now,
            @ForAll @IntRange(min = 1, max = 400) int due,
            @ForAll @IntRange(min = 200, max = 400) int sinceLast,
            @ForAll @IntRange(max = 399) int offset) {
        long wait = new HeartbeatSchedule(400, 200, offset).waitMillis(now, due, sinceLast);
        assertThat(wait).isLessThanOrEqualTo(due);
        if (wait > 0) {
            assertThat(Math.floorMod(now + wait - offset, 400)).isZero();
        }
    }
}
