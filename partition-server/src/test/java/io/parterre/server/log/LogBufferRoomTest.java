package io.parterre.server.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LogBufferRoomTest {
    private static final long MIB = 1L << 20;

    @Test
    void newLogBufferFits_whenMessageMemoryStaysFree() {
        assertThat(LogBufferRoom.fits(6 * MIB, 0, 22 * MIB)).isTrue();
        assertThat(LogBufferRoom.fits(6 * MIB, 1, 22 * MIB)).isFalse();
        assertThat(LogBufferRoom.fits(6 * MIB, 978 * MIB, 1_000 * MIB)).isTrue();
    }

    /** The virtual machine frees what is garbage before it fails. */
    @Test
    void newLogBufferFits_whenCollectionFreesMemory() {
        List<Integer> asked = new ArrayList<>();
        LogBufferRoom room =
                new LogBufferRoom(
                        () -> 64 * MIB,
                        () -> 64 * MIB,
                        bytes -> {
                            asked.add(bytes);
                            return ByteBuffer.allocate(0);
                        });
        assertThatNoException().isThrownBy(() -> room.require(1_000));
        assertThat(asked).containsExactly(1_000);
    }

    @Test
    void newLogBufferIsRefused_whenCollectionFreesTooLittle() {
        LogBufferRoom room =
                new LogBufferRoom(
                        () -> 60,
                        () -> 64,
                        bytes -> {
                            throw new OutOfMemoryError("all is taken");
                        });
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> room.require(1_000))
                .withMessageContaining("1000 bytes (of 64 outside of the heap 60 are used");
    }
}
