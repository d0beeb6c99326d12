package io.parterre.bench;

import io.parterre.bench.load.Endpoint;
import io.parterre.bench.load.LoadLoop;
import io.parterre.bench.load.Measurement;
import io.parterre.bench.load.TenthsRecorder;
import io.parterre.bench.load.TimedRecorder;
import io.parterre.bench.load.Work;
import io.parterre.bench.report.Row;
import io.parterre.bench.subject.Target;
import io.parterre.bench.work.CreateTable;
import io.parterre.bench.work.Dataset;
import io.parterre.bench.work.RowNumbers;
import io.parterre.bench.work.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/** Runs workloads against one server, on its own tables. Not thread-safe. */
final class TargetRun {
    private static final String GROWING = "growing";
    private static final int FILL_CONNECTIONS = 4;

    private final Target target;
    private final Dataset dataset;
    private final RowNumbers fresh = RowNumbers.from(0);

    TargetRun(Target target, Dataset dataset) {
        this.target = target;
        this.dataset = dataset;
    }

    Target target() {
        return target;
    }

    /**
     * Creates the tables and fills the dataset.
     *
     * @throws IOException if an entity was refused
     */
    void prepare(Duration atMost) throws IOException {
        create(target.endpoint(), dataset.table());
        create(target.endpoint(), GROWING);
        TenthsRecorder filled = fill(target.endpoint(), dataset, atMost);
        if (filled.loaded() != dataset.entities()) {
            throw new IOException(
                    target.name()
                            + ": filled "
                            + filled.loaded()
                            + " of "
                            + dataset.entities()
                            + " entities; errors: "
                            + filled.firstErrors());
        }
    }

    static void create(Endpoint endpoint, String table) throws IOException {
        TenthsRecorder created = new TenthsRecorder(1);
        new LoadLoop(endpoint, 1, CreateTable.unlessThere(table), created)
                .run(Duration.ofSeconds(30));
        if (!created.errors().isEmpty()) {
            throw new IOException("table " + table + ": " + created.firstErrors());
        }
    }

    static TenthsRecorder fill(Endpoint endpoint, Dataset dataset, Duration atMost)
            throws IOException {
        TenthsRecorder filled = new TenthsRecorder(dataset.entities());
        new LoadLoop(endpoint, FILL_CONNECTIONS, Workload.fill(dataset), filled).run(atMost);
        return filled;
    }

    Row measure(Workload workload, int connections, Duration warmUp, Duration time)
            throws IOException {
        Measurement before = run(workload, connections, warmUp);
        double cpuBefore = target.use().cpuSeconds();
        Measurement measured = run(workload, connections, time).withErrorsOf(before);
        double cpuSeconds = target.use().cpuSeconds() - cpuBefore;
        return new Row(
                target.name(),
                workload.title(),
                workload.unit().name().toLowerCase(Locale.ROOT),
                connections,
                cpuSeconds * 1e6 / Math.max(1, measured.operations()),
                measured);
    }

    private Measurement run(Workload workload, int connections, Duration time) throws IOException {
        Work work = workload.start(dataset, GROWING, fresh, connections);
        TimedRecorder recorder = new TimedRecorder(time);
        new LoadLoop(target.endpoint(), connections, work, recorder).run(time);
        return recorder.result();
    }
}
