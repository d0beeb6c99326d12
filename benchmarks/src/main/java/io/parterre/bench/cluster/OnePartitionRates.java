package io.parterre.bench.cluster;

import io.parterre.bench.load.Endpoint;
import io.parterre.bench.load.LoadLoop;
import io.parterre.bench.load.Measurement;
import io.parterre.bench.load.TimedRecorder;
import io.parterre.bench.load.Work;
import io.parterre.bench.report.Figure;
import io.parterre.bench.report.Figures;
import io.parterre.bench.report.LoadAverage;
import io.parterre.bench.work.OnePartition;
import io.parterre.bench.work.RowNumbers;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Highest rates of one partition: inserts, batches and point reads. Confined to one thread.
 *
 * @param table exists and is empty
 */
public record OnePartitionRates(
        Endpoint endpoint, String table, int connections, Duration warmUp, Duration time) {
    private static final int BATCH_CONNECTIONS = 16;
    private static final double INSERTS_MIN = 4_000;
    private static final double BATCH_ENTITIES_MIN = 20_000;
    private static final double READS_MIN = 10_000;
    private static final long BATCHES_FROM = 100_000_000;

    /** Measures inserts, batches and point reads. */
    public List<Figure> run() throws IOException {
        RowNumbers rows = RowNumbers.from(0);
        RowNumbers batchRows = RowNumbers.from(BATCHES_FROM);
        List<Figure> inserts =
                figures(
                        "single inserts",
                        INSERTS_MIN,
                        connections,
                        () -> OnePartition.inserts(table, rows));
        long written = rows.reserve(0);
        List<Figure> batches =
                figures(
                        "entities in batches of 100",
                        BATCH_ENTITIES_MIN,
                        BATCH_CONNECTIONS,
                        () -> OnePartition.batches(table, batchRows));
        // The latest inserts may have been cut off with their connections.
        long readable = Math.max(1, written - 10L * connections);
        List<Figure> reads =
                figures(
                        "point reads",
                        READS_MIN,
                        connections,
                        () -> OnePartition.reads(table, readable, 7));
        return Stream.of(inserts, batches, reads).flatMap(List::stream).toList();
    }

    @FunctionalInterface
    private interface Works {
        Work start();
    }

    private List<Figure> figures(String what, double perSecondMin, int connectionCount, Works works)
            throws IOException {
        LoadAverage load = LoadAverage.begin();
        Measurement before = run(works.start(), connectionCount, warmUp);
        Measurement measured = run(works.start(), connectionCount, time).withErrorsOf(before);
        double rate = measured.entitiesPerSecond();
        return new Figures(load.end())
                .held(
                        "N7",
                        "one partition, " + what + ", " + connectionCount + " connections",
                        String.format(Locale.ROOT, "%,.0f/s", perSecondMin),
                        String.format(
                                Locale.ROOT,
                                "%,.0f/s; p50 %.2f ms, p99 %.2f ms; errors %d",
                                rate,
                                measured.latency().p50() / 1e3,
                                measured.latency().p99() / 1e3,
                                measured.errorCount()),
                        rate >= perSecondMin,
                        Map.of("perSecond", rate))
                .all();
    }

    private Measurement run(Work work, int connectionCount, Duration atMost) throws IOException {
        TimedRecorder recorder = new TimedRecorder(atMost);
        new LoadLoop(endpoint, connectionCount, work, recorder).run(atMost);
        return recorder.result();
    }
}
