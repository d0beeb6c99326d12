package io.parterre.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LogMemoryTest {
    private static final long MIB = 1 << 20;

    @Test
    void segmentsShrink_whenHeapIsSmall() {
        assertThat(LogMemory.ofHeap(512 * MIB).segmentBytes()).isEqualTo(512 << 10);
        assertThat(LogMemory.ofHeap(494 * MIB).segmentBytes()).isEqualTo(494 << 10);
        assertThat(LogMemory.ofHeap(64 * MIB).segmentBytes()).isEqualTo(256 << 10);
        assertThat(LogMemory.ofHeap(64L << 30).segmentBytes()).isEqualTo(8 << 20);
    }

    @Test
    void hundredBusyRangesLeaveHalfOfTheHeap_whenHeapIs512Mib() {
        LogMemory memory = LogMemory.ofHeap(512 * MIB);
        long cachedBytes = 100L * 2 * memory.segmentBytes();
        long recordBytes = 144 * 100 * memory.recordsMaxEach(100);

        assertThat(cachedBytes + recordBytes).isLessThan(256 * MIB);
    }

    @Test
    void rangesShareTheRecords() {
        LogMemory memory = new LogMemory(1 << 20, 1_000);

        assertThat(memory.recordsMaxEach(0)).isEqualTo(1_000);
        assertThat(memory.recordsMaxEach(1)).isEqualTo(1_000);
        assertThat(memory.recordsMaxEach(4)).isEqualTo(250);
    }
}
