package io.parterre.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.parterre.server.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A store on a real file system that has no room left. */
@Timeout(120)
final class FullStoreIT {
    private static final int MIB = 1 << 20;
    private static final StoreConfig CONFIG =
            new StoreConfig(8 * MIB, 32 * MIB, Duration.ofHours(1));

    @TempDir Path folder;

    private final TestStore storage = new TestStore();
    private final Random random = new Random(1);
    private Path filler;
    private SmallDisk disk;

    @BeforeEach
    void mount() throws IOException {
        Optional<SmallDisk> mounted = SmallDisk.full(folder.resolve("disk"), 48);
        assumeTrue(mounted.isPresent(), "needs the right to mount file systems");
        disk = mounted.get();
        filler = folder.resolve("disk").resolve("filler");
    }

    @AfterEach
    void unmount() throws IOException {
        storage.close();
        if (disk != null) {
            disk.close();
        }
    }

    private ServerStore open() throws IOException {
        return storage.open(folder.resolve("disk").resolve("rows"), CONFIG);
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }

    /** Not to be packed. */
    private void put(ServerStore store, int row, int bytes) {
        byte[] value = new byte[bytes];
        random.nextBytes(value);
        try (StoreBatch batch = new StoreBatch()) {
            batch.put(key(row), value);
            store.write(batch);
        }
    }

    private static byte[] key(int row) {
        return new byte[] {'k', (byte) row};
    }

    private void putMany(ServerStore store) {
        for (int row = 0; row < 6; row++) {
            put(store, row, MIB);
        }
    }

    @Test
    void writesWaitAndReadsWork_whileFlushFindsNoRoom() throws IOException {
        try (ServerStore store = open()) {
            putMany(store);
            SmallDisk.fill(filler, 0);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(store::flushNow)
                    .withMessageContaining("the disk is full");
            assertThat(store.isFull()).isTrue();
            assertThat(store.get(key(1))).isPresent();
            CompletableFuture<Void> write = CompletableFuture.runAsync(() -> put(store, 77, 1));
            CompletableFuture<Void> flush = CompletableFuture.runAsync(store::flush);
            assertThat(store.get(key(77))).isEmpty();
            assertThat(write).isNotDone();
            assertThat(flush).isNotDone();

            Files.delete(filler);

            await().until(() -> write.isDone() && flush.isDone());
            assertThat(store.isFull()).isFalse();
            store.flush();
            store.abandon();
        }
        try (ServerStore again = open()) {
            assertThat(again.get(key(5))).isPresent();
            assertThat(again.get(key(77))).isPresent();
        }
        assertThat(storage.failures()).isEmpty();
    }

    /** RocksDB holds it back until its result would fit, and takes it up by itself. */
    @Test
    void flushesGoOnAndCompactionFollows_whenCompactionFoundNoRoom() throws IOException {
        try (ServerStore store = open()) {
            for (int i = 0; i < 3; i++) {
                putMany(store);
                store.flush();
            }
            SmallDisk.fill(filler, 8 * MIB);
            putMany(store);
            store.flush();
            await().until(() -> store.backgroundErrors() > 0);

            put(store, 77, 1);
            store.flush();
            assertThat(store.isFull()).isFalse();
            int filesBefore = store.files().list().size();

            disk.grow(200);

            await().until(() -> store.files().list().size() < filesBefore - 1);
            assertThat(store.get(key(5))).isPresent();
            assertThat(store.getDurable(key(77))).isPresent();
        }
        assertThat(storage.failures()).isEmpty();
    }

    @Test
    void waitForRoomEnds_whenStoreEnds() throws IOException {
        try (ServerStore store = open()) {
            putMany(store);
            SmallDisk.fill(filler, 0);
            CompletableFuture<Void> flush = CompletableFuture.runAsync(store::flush);
            await().until(store::isFull);
            assertThat(flush).isNotDone();

            store.ending();

            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(flush::join)
                    .withCauseInstanceOf(CancellationException.class);
        }
        assertThat(storage.failures()).isEmpty();
    }
}
