package io.parterre.bench.cluster;

import io.parterre.bench.load.Endpoint;
import io.parterre.bench.load.StatusTimes;
import io.parterre.bench.load.Work;
import io.parterre.bench.report.Figure;
import io.parterre.bench.report.Figures;
import io.parterre.bench.report.LoadAverage;
import io.parterre.bench.work.Dataset;
import io.parterre.bench.work.OnePartition;
import io.parterre.bench.work.RowNumbers;
import io.parterre.bench.work.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Loads one partition with five times the rate that a partition may have, beside a steady load on
 * other partitions of the same range: measures the effect on the others, and how soon the
 * overloading callers are refused. Turns with and without the overload alternate.
 *
 * @param partitionMax operations a second that the servers permit one partition
 * @param dataset read and extended by the other callers
 * @param hotTable table with one partition of {@code hotRows} entities, for reads
 */
public record Overload(
        Endpoint endpoint,
        int partitionMax,
        Dataset dataset,
        String growing,
        String hotTable,
        long hotRows,
        int rounds,
        Duration turn) {
    private static final int TIMES = 5;
    private static final int HOT_CALLERS = 16;
    private static final int OTHER_CALLERS = 4;
    private static final double OTHERS_PER_SECOND = 200;
    private static final double P99_RATIO_MAX = 1.1;
    private static final double REFUSED_WITHIN_MILLIS = 5;

    /** Measures the overload. */
    public List<Figure> run(Consumer<String> progress) throws IOException, InterruptedException {
        LoadAverage load = LoadAverage.begin();
        StatusTimes quiet = new StatusTimes();
        StatusTimes beside = new StatusTimes();
        StatusTimes hot = new StatusTimes();
        RowNumbers fresh = RowNumbers.from(1_000_000);
        // The first turn finds cold caches.
        others(fresh, turn);
        for (int round = 1; round <= rounds; round++) {
            quiet.add(others(fresh, turn));
            try (PacedLoad.Running overload = hotLoad().start(turn.plusSeconds(1))) {
                beside.add(others(fresh, turn));
                hot.add(overload.times());
            }
            progress.accept(
                    "overload %d of %d: others p99 %.1f ms, without %.1f ms"
                            .formatted(round, rounds, beside.goodMillis(99), quiet.goodMillis(99)));
        }
        return figures(quiet, beside, hot, load.end());
    }

    private PacedLoad hotLoad() {
        return new PacedLoad(
                endpoint,
                HOT_CALLERS,
                (double) TIMES * partitionMax,
                number -> OnePartition.reads(hotTable, hotRows, number));
    }

    private StatusTimes others(RowNumbers fresh, Duration time)
            throws IOException, InterruptedException {
        PacedLoad load =
                new PacedLoad(endpoint, OTHER_CALLERS, OTHERS_PER_SECOND, n -> other(n, fresh));
        try (PacedLoad.Running running = load.start(time)) {
            return running.times();
        }
    }

    /** Returns the work of a caller: half of the callers read, half of them insert. */
    private Work other(int number, RowNumbers fresh) {
        Workload workload = number % 2 == 0 ? Workload.READ : Workload.INSERT;
        // Each caller inserts its own rows.
        RowNumbers own = RowNumbers.from(fresh.reserve(1_000_000));
        return workload.start(dataset, growing, own, 1);
    }

    private List<Figure> figures(
            StatusTimes quiet, StatusTimes beside, StatusTimes hot, String loadAverage) {
        double ratio = beside.goodMillis(99) / quiet.goodMillis(99);
        double seconds = rounds * (turn.toMillis() / 1e3 + 1);
        return new Figures(loadAverage)
                .held(
                        "N11",
                        "p99 of other partitions, one asked for 5 times %,d/s"
                                .formatted(partitionMax),
                        "1.1 times",
                        text(
                                "%.2f times: %.2f ms, without %.2f ms; p50 %.2f, %.2f ms",
                                ratio,
                                beside.goodMillis(99),
                                quiet.goodMillis(99),
                                beside.goodMillis(50),
                                quiet.goodMillis(50)),
                        ratio <= P99_RATIO_MAX,
                        Map.of("ratio", ratio))
                .held(
                        "N11",
                        "time to 503 of the hot partition, p99",
                        "5 ms",
                        text("%.2f ms, p50 %.2f ms", hot.busyMillis(99), hot.busyMillis(50)),
                        hot.busyCount() > 0 && hot.busyMillis(99) <= REFUSED_WITHIN_MILLIS,
                        Map.of("millis", hot.busyMillis(99)))
                .fact(
                        "N11",
                        "the hot partition",
                        text(
                                "asked %,.0f/s, served %,.0f/s, refused %,.0f/s",
                                (hot.goodCount() + hot.busyCount()) / seconds,
                                hot.goodCount() / seconds,
                                hot.busyCount() / seconds),
                        Map.of("served", hot.goodCount(), "refused", hot.busyCount()))
                .count(
                        "N11",
                        "calls of the others refused or failed",
                        beside.busyCount()
                                + quiet.busyCount()
                                + count(beside.errors())
                                + count(quiet.errors()))
                .all();
    }

    private static long count(Map<String, Long> errors) {
        return errors.values().stream().mapToLong(Long::longValue).sum();
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
