package io.parterre.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Which failures say no more than that a disk is full. */
final class NoRoomTest {
    private static final IOException NO_SPACE = new IOException("No space left on device");

    @Test
    void diskIsFull_whenSomeCauseIsOfNoSpace() {
        assertThat(NoRoom.isCauseOf(NO_SPACE)).isTrue();
        assertThat(NoRoom.isCauseOf(new IllegalStateException(new IOException(NO_SPACE)))).isTrue();
        assertThat(NoRoom.isCauseOf(new FileSystemException("a", null, "No space left on device")))
                .isTrue();
        Status full = new Status(Status.Code.IOError, Status.SubCode.NoSpace, "");
        assertThat(NoRoom.isCauseOf(new StoreException("", new RocksDBException(full)))).isTrue();
    }

    @Test
    void diskFails_whenErrorIsAnother() {
        assertThat(NoRoom.isCauseOf(new IOException("Input/output error"))).isFalse();
        assertThat(NoRoom.isCauseOf(new IOException())).isFalse();
        assertThat(NoRoom.isCauseOf(new IllegalStateException("No space left on device")))
                .isFalse();
        Status damaged = new Status(Status.Code.Corruption, Status.SubCode.None, "");
        assertThat(NoRoom.isCauseOf(new RocksDBException(damaged))).isFalse();
    }
}
