package io.parterre.server.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.parterre.server.log.LogBufferRoom;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Room for a log where the process really has none. Alone: it takes what all others live on. */
@Isolated
@Tag("long")
final class LogBufferMemoryIT {
    @Test
    void newLogBufferIsRefused_untilProcessMemoryIsFree() {
        List<ByteBuffer> taken = new ArrayList<>();
        takeAllOutsideOfTheHeap(taken);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> LogBufferRoom.OF_PROCESS.require(RaftSettings.LOG_BUFFER_BYTES))
                .withMessageContaining("no memory for the log of another replica");

        taken.clear();
        assertThatNoException()
                .isThrownBy(() -> LogBufferRoom.OF_PROCESS.require(RaftSettings.LOG_BUFFER_BYTES));
    }

    private static void takeAllOutsideOfTheHeap(List<ByteBuffer> taken) {
        try {
            while (true) {
                taken.add(ByteBuffer.allocateDirect(4 << 20));
            }
        } catch (OutOfMemoryError full) {
            assertThat(taken).isNotEmpty();
        }
    }
}
