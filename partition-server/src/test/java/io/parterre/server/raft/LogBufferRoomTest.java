package io.parterre.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LogBufferRoomTest {
    private static final long MIB = 1L << 20;

    @Test
    void newLogBufferFits_whenMessageMemoryStaysFree() {
        assertThat(LogBufferRoom.fits(6 * MIB, 0, 22 * MIB)).isTrue();
        assertThat(LogBufferRoom.fits(6 * MIB, 1, 22 * MIB)).isFalse();
        assertThat(LogBufferRoom.fits(6 * MIB, 978 * MIB, 1_000 * MIB)).isTrue();
    }
}
