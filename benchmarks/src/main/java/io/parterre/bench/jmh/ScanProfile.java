package io.parterre.bench.jmh;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parterre.filter.Filter;
import io.parterre.frontend.table.FilterParser;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.query.RowSource;
import io.parterre.server.query.Scan;
import io.parterre.server.query.ScanBudget;
import io.parterre.server.query.ScanResult;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreBatch;
import io.parterre.server.store.StoreConfig;
import io.parterre.server.store.StoreCursor;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

/**
 * Distribution of the time of a selective scan, measured by running it in layers over a separate
 * store: rows only read; rows in memory only tested; both together. Times are processor time of the
 * one thread that runs the layers, so that other load and the store's background work do not count.
 * Layers are used instead of samples, because a sampling profiler sees native code less well than
 * Java.
 *
 * @param storageNanos time to read an entity from the store
 * @param evaluationNanos time to test and reject an entity in memory
 * @param scanNanos time to read and test an entity, as the server does
 */
public record ScanProfile(double storageNanos, double evaluationNanos, double scanNanos) {
    private static final int ROUNDS = 5;
    private static final int BATCH_ROWS = 100;
    private static final ScanBudget NO_LIMIT =
            new ScanBudget(
                    Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Duration.ofHours(1));

    /**
     * Fills a store in the folder and measures; takes some microseconds for each entity.
     *
     * @param folder an empty folder; left filled
     */
    public static ScanProfile measure(Path folder, int entities) throws IOException {
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        try (ServerStore store =
                ServerStore.open(
                        folder,
                        StoreConfig.DEFAULT,
                        scheduler,
                        System::nanoTime,
                        new PartitionServerMetrics(new SimpleMeterRegistry()),
                        failure -> {})) {
            fill(store, entities);
            return measure(store, entities);
        } finally {
            scheduler.shutdownNow();
        }
    }

    private static void fill(ServerStore store, int entities) {
        try (StoreBatch batch = new StoreBatch()) {
            for (int row = 0; row < entities; row++) {
                batch.put(Samples.key(row).unsafeBytes(), Samples.value(row));
                if (row % BATCH_ROWS == BATCH_ROWS - 1 || row == entities - 1) {
                    store.write(batch);
                    batch.clear();
                }
            }
        }
        store.flush();
    }

    private static ScanProfile measure(ServerStore store, int entities) {
        double[] storage = new double[ROUNDS];
        double[] evaluation = new double[ROUNDS];
        double[] scan = new double[ROUNDS];
        // One more round, for compilation; layers in turn, so that a drift of the machine affects
        // all of them.
        for (int round = -1; round < ROUNDS; round++) {
            int at = Math.max(round, 0);
            int wanted = entities / (at + 2);
            storage[at] = nanosPerEntity(() -> read(store), entities);
            evaluation[at] = nanosPerEntity(() -> test(wanted, entities), entities);
            scan[at] = nanosPerEntity(() -> scan(store, wanted), entities);
        }
        return new ScanProfile(median(storage), median(evaluation), median(scan));
    }

    private static double nanosPerEntity(LongSupplier layer, int entities) {
        var threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        long seen = layer.getAsLong();
        long nanos = threads.getCurrentThreadCpuTime() - before;
        if (seen != entities) {
            throw new IllegalStateException("entities: " + seen + " (expected: " + entities + ")");
        }
        return (double) nanos / entities;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static long read(ServerStore store) {
        long rows = 0;
        try (StoreCursor cursor = store.scan(everything())) {
            for (; cursor.valid(); cursor.next()) {
                rows++;
            }
        }
        return rows;
    }

    private static long scan(ServerStore store, int wanted) {
        try (StoreCursor cursor = store.scan(everything())) {
            return examined(cursor, wanted, 1);
        }
    }

    private static long test(int wanted, int entities) {
        MemoryRows rows = new MemoryRows(entities);
        // None of the rows in memory has a number this great.
        return examined(rows, wanted + Samples.PAGE_ENTITIES, 0);
    }

    private static long examined(RowSource rows, int wanted, int matches) {
        Optional<Filter> filter = Optional.of(FilterParser.parse("Number eq " + wanted));
        ScanResult result =
                Scan.ofEntities(filter, Optional.empty(), NO_LIMIT, System::nanoTime).run(rows);
        if (result.rowCount() != matches) {
            throw new IllegalStateException(
                    "matches: " + result.rowCount() + " (expected: " + matches + ")");
        }
        return result.examinedRows();
    }

    private static KeyRange everything() {
        return KeyRange.ofPrefix(KeyCodec.scope(Samples.SCOPE));
    }

    /** The same few rows repeatedly, as hot in the caches as a row just copied out of the store. */
    private static final class MemoryRows implements RowSource {
        private final List<byte[]> keys =
                Samples.keys().stream().map(key -> key.unsafeBytes()).toList();
        private final List<byte[]> values = Samples.values();
        private final int rows;
        private int at;

        MemoryRows(int rows) {
            this.rows = rows;
        }

        @Override
        public boolean valid() {
            return at < rows;
        }

        @Override
        public void next() {
            at++;
        }

        @Override
        public byte[] key() {
            return keys.get(at % Samples.PAGE_ENTITIES);
        }

        @Override
        public int keyLength() {
            return key().length;
        }

        @Override
        public byte[] value() {
            return values.get(at % Samples.PAGE_ENTITIES);
        }

        @Override
        public int valueLength() {
            return value().length;
        }
    }
}
