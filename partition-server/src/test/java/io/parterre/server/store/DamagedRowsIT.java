package io.parterre.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bit that has turned on disk: what is read is right, or an error, and never another row. */
final class DamagedRowsIT {
    private static final int ROWS = 2_000;

    @TempDir Path folder;

    private final TestStore storage = new TestStore();

    @AfterEach
    void close() {
        storage.close();
    }

    private ServerStore open() throws IOException {
        return storage.open(folder.resolve("rows"));
    }

    private static byte[] key(int row) {
        return String.format("k%06d", row).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] value(int row) {
        return ("value of " + row + " ").repeat(5).getBytes(StandardCharsets.UTF_8);
    }

    private Path fill() throws IOException {
        try (ServerStore store = open();
                StoreBatch batch = new StoreBatch()) {
            for (int row = 0; row < ROWS; row++) {
                batch.put(key(row), value(row));
            }
            store.write(batch);
        }
        try (Stream<Path> files = Files.list(folder.resolve("rows"))) {
            return files.filter(file -> file.toString().endsWith(".sst")).findFirst().orElseThrow();
        }
    }

    @Test
    void readsReturnRightRowsOrFail_whenBitIsFlippedOnDisk() throws IOException {
        Path file = fill();
        byte[] whole = Files.readAllBytes(file);
        int found = 0;
        int tried = 0;
        for (int at = 100; at < whole.length; at += whole.length / 25) {
            byte[] flipped = whole.clone();
            flipped[at] ^= 0x10;
            Files.write(file, flipped);
            storage.failures().clear();
            tried++;
            found += isFound() ? 1 : 0;
        }
        // Padding and statistics of the file are read by nobody.
        assertThat(found).as("of %s", tried).isGreaterThan(tried * 3 / 4);

        Files.write(file, whole);
        storage.failures().clear();
        assertThat(isFound()).isFalse();
    }

    @Test
    void refusedWriteNamesFirstFailure_whenReadFoundDamage() throws IOException {
        Path file = fill();
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 4] ^= 0x10;
        Files.write(file, bytes);
        ServerStore store = open();
        try (StoreBatch batch = new StoreBatch()) {
            assertThat(scans(store)).isFalse();
            batch.put(key(0), value(0));

            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> store.write(batch))
                    .withMessageContaining("has failed before")
                    .withMessageContaining(".sst")
                    .satisfies(
                            refused ->
                                    assertThat(new StoreFailure("write", refused).damage())
                                            .isPresent());
        } finally {
            store.abandon();
        }
    }

    /** Whether the damage was told of; if not, everything was read as it was written. */
    private boolean isFound() {
        ServerStore store;
        try {
            store = open();
        } catch (IOException refused) {
            return true;
        }
        try {
            boolean failed = !readsByKey(store) | !scans(store);
            assertThat(storage.failures()).hasSize(failed ? 1 : 0);
            return failed;
        } finally {
            store.abandon();
        }
    }

    private static boolean readsByKey(ServerStore store) {
        boolean whole = true;
        for (int row = 0; row < ROWS; row++) {
            try {
                assertThat(store.get(key(row))).hasValueSatisfying(isValueOf(row));
            } catch (StoreException damaged) {
                whole = false;
            }
        }
        return whole;
    }

    private static java.util.function.Consumer<byte[]> isValueOf(int row) {
        return value -> assertThat(value).isEqualTo(value(row));
    }

    private static boolean scans(ServerStore store) {
        int row = 0;
        try (StoreCursor rows = store.scan(new KeyRange(Key.wrap(key(0)), Key.wrap(key(ROWS))))) {
            for (; rows.valid(); rows.next()) {
                assertThat(java.util.Arrays.copyOf(rows.key(), rows.keyLength()))
                        .isEqualTo(key(row));
                assertThat(java.util.Arrays.copyOf(rows.value(), rows.valueLength()))
                        .isEqualTo(value(row));
                row++;
            }
        } catch (StoreException damaged) {
            return false;
        }
        assertThat(row).isEqualTo(ROWS);
        return true;
    }
}
