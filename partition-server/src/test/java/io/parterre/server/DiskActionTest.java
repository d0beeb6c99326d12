package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a node does whose disk has hung for so long, by whether others go on without it. */
final class DiskActionTest {
    private static final DiskConfig CONFIG =
            new DiskConfig(Duration.ofSeconds(4), Duration.ofSeconds(30));
    private static final Duration BACK_OFF = Duration.ofSeconds(150);

    @ParameterizedTest
    @CsvSource({
        "false, true,    0, NOTHING",
        "false, false, 500, NOTHING",
        "true,  true,    0, RELIEVE",
        "true,  true,   29, RELIEVE",
        "true,  true,   30, END",
        "true,  false,   0, RELIEVE",
        "true,  false,  30, RELIEVE",
        "true,  false, 149, RELIEVE",
        "true,  false, 150, END",
        // The others got their disks back while this one waited.
        "true,  true,  100, END",
    })
    void diskActionEscalatesFromRelieveToEnd_whenStallLasts(
            boolean hangs, boolean dispensable, long seconds, DiskAction action) {
        DiskState disk = new DiskState(hangs, 0);
        long nowNanos = Duration.ofSeconds(seconds).toNanos();
        assertThat(DiskAction.of(disk, false, dispensable, CONFIG, BACK_OFF, nowNanos))
                .isEqualTo(action);
    }

    /** Room comes without an end: the process would come back to the same full disk. */
    @ParameterizedTest
    @CsvSource({"false, 0", "true, 0", "false, 900", "true, 900"})
    void diskActionStaysRelieve_whenDiskIsFullForHowLongEver(boolean dispensable, long seconds) {
        DiskState disk = new DiskState(false, 0);
        long nowNanos = Duration.ofSeconds(seconds).toNanos();
        assertThat(DiskAction.of(disk, true, dispensable, CONFIG, BACK_OFF, nowNanos))
                .isEqualTo(DiskAction.RELIEVE);
    }

    /** Nodes that stall together end apart. */
    @Test
    void backoffSpreadsFromTwoToFourMinutes_byRandomFraction() {
        assertThat(CONFIG.backOff(0)).isEqualTo(Duration.ofMinutes(2));
        assertThat(CONFIG.backOff(0.5)).isEqualTo(Duration.ofMinutes(3));
        assertThat(CONFIG.backOff(1)).isEqualTo(Duration.ofMinutes(4));
    }
}
