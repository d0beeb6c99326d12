package io.parterre.bench.patterns;

import io.parterre.bench.load.Endpoint;
import io.parterre.bench.load.Measurement;
import io.parterre.bench.report.Contrast;
import io.parterre.bench.work.CreateTable;
import io.parterre.bench.work.Deletes;
import io.parterre.bench.work.LogTail;
import io.parterre.bench.work.RowNumbers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The log tail pattern: reads the newest entities of a growing partition, with ascending keys,
 * where the newest are found only after all others, and with descending keys, where they come
 * first. Confined to one thread.
 *
 * @param table created, and deleted in the end
 * @param sizes sizes of the partition, ascending multiples of 100
 */
public record TailPattern(Endpoint endpoint, String table, List<Long> sizes, int top) {
    private static final String SUBJECT = "log tail";
    private static final int FILL_CONNECTIONS = 4;
    private static final int WALKS = 3;
    private static final int READS = 1_000;

    public TailPattern {
        sizes = List.copyOf(sizes);
    }

    /** Measures both designs at each size. */
    public List<Contrast> run(Consumer<String> progress) throws IOException {
        Calls calls = new Calls(endpoint);
        calls.all(1, CreateTable.fresh(table));
        LogTail tail = new LogTail(table);
        List<Contrast> contrasts = new ArrayList<>();
        long filled = 0;
        for (long size : sizes) {
            calls.all(FILL_CONNECTIONS, tail.appendsUp(RowNumbers.between(filled, size)));
            calls.all(FILL_CONNECTIONS, tail.appendsDown(RowNumbers.between(filled, size)));
            filled = size;
            // The first run of each finds cold caches.
            calls.all(1, tail.walkToNewest(size, 1));
            Duration walks = calls.all(1, tail.walkToNewest(size, WALKS));
            calls.each(1, tail.newestFirst(size, top, READS));
            Measurement.Latency reads = calls.each(1, tail.newestFirst(size, top, READS));
            Contrast found = contrast(size, walks.toNanos() / 1e6 / WALKS, reads);
            contrasts.add(found);
            progress.accept(found.what() + ": " + found.before() + "; " + found.after());
        }
        calls.all(1, Deletes.withTable(table));
        return contrasts;
    }

    private Contrast contrast(long size, double walkMillis, Measurement.Latency reads) {
        return new Contrast(
                SUBJECT,
                String.format(
                        Locale.ROOT,
                        "newest %d of %,d, ms: mean of walks to the end; p50, p99 of first pages",
                        top,
                        size),
                String.format(Locale.ROOT, "%,.1f", walkMillis),
                String.format(Locale.ROOT, "%.2f, %.2f", reads.p50() / 1e3, reads.p99() / 1e3),
                Map.of(
                        "entities",
                        size,
                        "walkMillis",
                        walkMillis,
                        "firstPageMillisP50",
                        reads.p50() / 1e3,
                        "firstPageMillisP99",
                        reads.p99() / 1e3));
    }
}
