package io.parterre.bench;

import io.parterre.bench.load.Endpoint;
import io.parterre.bench.load.LoadLoop;
import io.parterre.bench.load.Measurement;
import io.parterre.bench.load.TenthsRecorder;
import io.parterre.bench.load.TimedRecorder;
import io.parterre.bench.load.Work;
import io.parterre.bench.report.Report;
import io.parterre.bench.report.Row;
import io.parterre.bench.work.Dataset;
import io.parterre.bench.work.RowNumbers;
import io.parterre.bench.work.Workload;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Loads a server that already runs, on any machine. */
@Command(
        name = "http",
        description = "Load on any endpoint that speaks the protocol over plain HTTP.")
final class HttpCommand extends MeasuringCommand {
    @Mixin private RunOptions options;
    @Mixin private AccountOptions account;

    @Option(
            names = "--url",
            defaultValue = "http://127.0.0.1:10002/devstoreaccount1",
            description = "Endpoint with its base path; default: ${DEFAULT-VALUE}.")
    private URI url;

    @Option(
            names = "--workload",
            split = ",",
            defaultValue = "READ",
            description = "One or more of ${COMPLETION-CANDIDATES}.")
    private List<Workload> workloads;

    @Option(names = "--connections", split = ",", defaultValue = "16")
    private List<Integer> connections;

    @Option(
            names = "--table",
            defaultValue = "benchmark",
            description = "Table that is read; inserts go to the same name with 'growing'.")
    private String table;

    @Option(names = "--entities", defaultValue = "10000", description = "Of that table.")
    private long entities;

    @Option(names = "--fill", description = "Create the tables and fill them first.")
    private boolean fill;

    @Override
    String title() {
        return "Load on " + account.at(url);
    }

    @Override
    void measure(Report report) throws IOException {
        Endpoint endpoint = account.at(url);
        Dataset dataset = new Dataset(table, entities);
        if (fill) {
            TargetRun.create(endpoint, table);
            TargetRun.create(endpoint, table + "growing");
            TenthsRecorder filled = TargetRun.fill(endpoint, dataset, Duration.ofMinutes(10));
            report.fact("filled", filled.perSecond(), "entities/s, errors " + filled.errors());
        }
        // Rows of an earlier run may exist, so row numbers begin at a value from the time of day.
        RowNumbers fresh = RowNumbers.from(System.currentTimeMillis() / 1000 * 100_000);
        for (Workload workload : workloads) {
            for (int count : connections) {
                report.row(measure(endpoint, workload, dataset, fresh, count));
            }
        }
    }

    private Row measure(
            Endpoint endpoint, Workload workload, Dataset dataset, RowNumbers fresh, int count)
            throws IOException {
        Measurement before = run(endpoint, workload, dataset, fresh, count, options.warmUp());
        Measurement measured = run(endpoint, workload, dataset, fresh, count, options.time());
        return new Row(
                endpoint.host() + ":" + endpoint.port(),
                workload.title(),
                workload.unit().name().toLowerCase(Locale.ROOT),
                count,
                Double.NaN,
                measured.withErrorsOf(before));
    }

    private static Measurement run(
            Endpoint endpoint,
            Workload workload,
            Dataset dataset,
            RowNumbers fresh,
            int count,
            Duration time)
            throws IOException {
        Work work = workload.start(dataset, dataset.table() + "growing", fresh, count);
        TimedRecorder recorder = new TimedRecorder(time);
        new LoadLoop(endpoint, count, work, recorder).run(time);
        return recorder.result();
    }
}
