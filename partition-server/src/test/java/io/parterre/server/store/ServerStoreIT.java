package io.parterre.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.RangeId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

final class ServerStoreIT {
    private static final StoreConfig QUICK_TO_FLUSH =
            new StoreConfig(8 << 20, 8 << 20, Duration.ofSeconds(1));

    @TempDir Path folder;

    private final TestStore storage = new TestStore();

    @AfterEach
    void close() {
        storage.close();
    }

    private ServerStore open(StoreConfig config) throws IOException {
        return storage.open(folder.resolve("rows"), config);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void put(ServerStore store, String key, String value) {
        try (StoreBatch batch = new StoreBatch()) {
            batch.put(bytes(key), bytes(value));
            store.write(batch);
        }
    }

    private static Optional<String> get(ServerStore store, String key) {
        return store.get(bytes(key)).map(value -> new String(value, StandardCharsets.UTF_8));
    }

    private static List<String> scan(ServerStore store, String start, String end) {
        List<String> found = new ArrayList<>();
        KeyRange range = new KeyRange(Key.wrap(bytes(start)), Key.wrap(bytes(end)));
        try (StoreCursor rows = store.scan(range)) {
            for (; rows.valid(); rows.next()) {
                found.add(
                        new String(rows.key(), 0, rows.keyLength(), StandardCharsets.UTF_8)
                                + "="
                                + new String(
                                        rows.value(),
                                        0,
                                        rows.valueLength(),
                                        StandardCharsets.UTF_8));
            }
        }
        return found;
    }

    @Test
    void storeSizeCountsOnlyFlushedRows() throws IOException {
        KeyRange all = new KeyRange(Key.wrap(bytes("a")), Key.wrap(bytes("b")));
        KeyRange half = new KeyRange(Key.wrap(bytes("a")), Key.wrap(bytes("a0500")));
        KeyRange none = new KeyRange(Key.wrap(bytes("x")), Key.wrap(bytes("y")));
        SplittableRandom random = new SplittableRandom(1);
        try (ServerStore store = open(StoreConfig.DEFAULT)) {
            try (StoreBatch batch = new StoreBatch()) {
                for (int i = 0; i < 1_000; i++) {
                    byte[] value = new byte[1_000];
                    random.nextBytes(value); // Nothing that would compress.
                    batch.put(bytes(String.format(Locale.ROOT, "a%04d", i)), value);
                }
                store.write(batch);
            }
            assertThat(store.sizeBytes(all)).isZero();
            // In memory RocksDB samples its rows, and of files it counts whole blocks: the figures
            // are as rough on every machine.
            assertThat(store.approximateBytes(all)).isBetween(500_000L, 2_000_000L);

            store.flush();

            assertThat(store.sizeBytes(all)).isBetween(800_000L, 1_400_000L);
            assertThat(store.sizeBytes(half)).isBetween(300_000L, 800_000L);
            assertThat(store.sizeBytes(none)).isZero();
        }
    }

    @Test
    void batchIsVisibleAtOnceButLost_whenCrashPrecedesFlush() throws IOException {
        ServerStore store = open(StoreConfig.DEFAULT);
        put(store, "a", "1");
        assertThat(get(store, "a")).contains("1");
        assertThat(store.getDurable(bytes("a"))).isEmpty();
        store.abandon();

        try (ServerStore again = open(StoreConfig.DEFAULT)) {
            assertThat(get(again, "a")).isEmpty();
        }
    }

    @Test
    void rowsSurviveCrash_whenFlushed() throws IOException {
        ServerStore store = open(StoreConfig.DEFAULT);
        put(store, "a", "1");
        store.flush();
        put(store, "a", "2");
        assertThat(store.getDurable(bytes("a"))).contains(bytes("1"));
        store.abandon();

        try (ServerStore again = open(StoreConfig.DEFAULT)) {
            assertThat(get(again, "a")).contains("1");
        }
    }

    @Test
    void unflushedRowsSurvive_afterOrderlyClose() throws IOException {
        try (ServerStore store = open(StoreConfig.DEFAULT)) {
            put(store, "a", "1");
        }
        try (ServerStore again = open(StoreConfig.DEFAULT)) {
            assertThat(get(again, "a")).contains("1");
        }
    }

    @Test
    void rowsAreFlushed_afterFlushInterval() throws IOException {
        try (ServerStore store = open(QUICK_TO_FLUSH)) {
            put(store, "a", "1");
            Awaitility.await().until(() -> store.getDurable(bytes("a")).isPresent());
        }
    }

    @Test
    void scanReturnsRowsOfInterval_whenRowsAreLarge() throws IOException {
        try (ServerStore store = open(StoreConfig.DEFAULT)) {
            String large = "x".repeat(100_000);
            String longKey = "c" + "y".repeat(3_000);
            put(store, "a", "1");
            put(store, "b", large);
            put(store, longKey, "3");
            put(store, "d", "4");

            assertThat(scan(store, "a", "d")).containsExactly("a=1", "b=" + large, longKey + "=3");
            assertThat(scan(store, "aa", "b")).isEmpty();
        }
    }

    @Test
    void scanSeesSnapshot_whenRowsChangeDuringScan() throws IOException {
        try (ServerStore store = open(StoreConfig.DEFAULT)) {
            put(store, "a", "1");
            put(store, "b", "1");
            KeyRange range = new KeyRange(Key.wrap(bytes("a")), Key.wrap(bytes("z")));
            try (StoreCursor rows = store.scan(range)) {
                put(store, "b", "2");
                rows.next();
                assertThat(rows.value()[0]).isEqualTo((byte) '1');
            }
        }
    }

    @Test
    void storeListsLocalRowsAndTheRangesThatHaveThem() throws IOException {
        try (ServerStore store = open(StoreConfig.DEFAULT);
                StoreBatch batch = new StoreBatch()) {
            for (long id : new long[] {3, 256, 1}) {
                batch.put(LocalKey.of(new RangeId(id), (byte) 'D'), bytes("d" + id));
                batch.put(LocalKey.of(new RangeId(id), (byte) 'O', bytes("x")), bytes("o" + id));
            }
            batch.put(new byte[] {1, 7}, bytes("data"));
            store.write(batch);

            assertThat(store.localRows().ranges())
                    .containsExactly(new RangeId(1), new RangeId(3), new RangeId(256));
            List<StoredRow> rows = store.localRows().of(new RangeId(3));
            assertThat(rows).hasSize(2);
            assertThat(LocalKey.kind(rows.get(1).key())).isEqualTo((byte) 'O');
            assertThat(LocalKey.suffix(rows.get(1).key())).isEqualTo(bytes("x"));
            assertThat(rows.get(1).value()).isEqualTo(bytes("o3"));
        }
    }

    @Test
    void deletedIntervalIsReclaimed_afterFlush() throws IOException {
        try (ServerStore store = open(StoreConfig.DEFAULT);
                StoreBatch batch = new StoreBatch()) {
            put(store, "a", "1");
            put(store, "b", "1");
            store.flush();
            KeyRange range = new KeyRange(Key.wrap(bytes("a")), Key.wrap(bytes("b")));
            batch.deleteRange(bytes("a"), bytes("b"));
            store.write(batch);
            store.reclaim(range);
            assertThat(store.getDurable(bytes("a"))).isPresent();

            store.flush();

            assertThat(scan(store, "a", "z")).containsExactly("b=1");
            assertThat(store.getDurable(bytes("a"))).isEmpty();
        }
    }

    @Test
    void storeFailsAllWritesAndReportsOnce_afterDiskError() throws IOException {
        ServerStore store = open(StoreConfig.DEFAULT);
        put(store, "a", "1");
        Files.move(folder.resolve("rows"), folder.resolve("gone"));

        assertThatExceptionOfType(StoreException.class).isThrownBy(store::flush);
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> put(store, "b", "1"))
                .withMessageStartingWith("the store has failed before: ")
                .withCauseInstanceOf(RocksDBException.class);
        assertThatExceptionOfType(StoreException.class).isThrownBy(store::flush);
        store.close();

        assertThat(storage.failures()).hasSize(1);
        assertThat(storage.failures().get(0).operation()).isEqualTo("store flush");
    }

    @Test
    void readIsRejected_whenStoreIsClosed() throws IOException {
        ServerStore store = open(StoreConfig.DEFAULT);
        store.close();

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> get(store, "a"))
                .withMessage("the store is closed");
        store.close();
    }

    @Test
    void openIsRejected_whenStoreFolderIsInUse() throws IOException {
        try (ServerStore store = open(StoreConfig.DEFAULT)) {
            put(store, "a", "1");
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> open(StoreConfig.DEFAULT))
                    .withMessageContaining("cannot open the store in");
        }
    }
}
