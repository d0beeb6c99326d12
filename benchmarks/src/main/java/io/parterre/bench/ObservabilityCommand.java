package io.parterre.bench;

import io.parterre.bench.report.Report;
import io.parterre.bench.report.Row;
import io.parterre.bench.subject.Children;
import io.parterre.bench.subject.SpanSink;
import io.parterre.bench.subject.Target;
import io.parterre.bench.subject.Targets;
import io.parterre.bench.work.Dataset;
import io.parterre.bench.work.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the cost of the request log and of traces, on servers that differ only in these
 * settings. They are measured in turns, so that other load of the machine affects them equally.
 */
@Command(
        name = "observability",
        description = {
            "Processor time of a request with and without a request log and traces: one server for",
            "each setting, measured in turns."
        })
final class ObservabilityCommand extends MeasuringCommand {
    private static final int CONNECTIONS = 16;
    private static final List<Workload> WORKLOADS = List.of(Workload.READ, Workload.INSERT);

    @Mixin private RunOptions options;
    @Mixin private ServerOptions server;

    @Option(
            names = "--rounds",
            defaultValue = "5",
            description = "Turns of each server; medians are told. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Override
    String title() {
        return "Cost of the request log and of traces";
    }

    @Override
    void measure(Report report) throws IOException, InterruptedException {
        List<TargetRun> runs = new ArrayList<>();
        try (Children children = new Children();
                SpanSink sink = SpanSink.start()) {
            Targets targets = new Targets(children, folder());
            try {
                start(targets, "neither", List.of(), runs);
                start(
                        targets,
                        "request log",
                        List.of(
                                "frontEnd.requestLog.output=file",
                                "frontEnd.requestLog.file=" + folder().resolve("requests.log")),
                        runs);
                start(targets, "traces, 1 in 1,000", traces(sink, 1000), runs);
                start(targets, "traces, all", traces(sink, 1), runs);
                List<Row> all = measureInTurns(runs);
                PeersCommand.medians(all).forEach(report::row);
                reportCost(all, report);
                report.fact("bytes of spans received", sink.bytes());
            } finally {
                for (TargetRun run : runs) {
                    run.target().close();
                }
            }
        }
    }

    private static List<String> traces(SpanSink sink, int sampleOneIn) {
        return List.of("traces.endpoint=" + sink.url(), "traces.sampleOneIn=" + sampleOneIn);
    }

    private void start(Targets targets, String name, List<String> settings, List<TargetRun> runs)
            throws IOException, InterruptedException {
        Target target = server.start(targets, name, settings);
        TargetRun run = new TargetRun(target, new Dataset("dataset", 10_000));
        runs.add(run);
        run.prepare(Duration.ofMinutes(5));
        for (Workload workload : WORKLOADS) {
            run.measure(workload, CONNECTIONS, options.warmUp(), options.time());
        }
    }

    private List<Row> measureInTurns(List<TargetRun> runs) throws IOException {
        List<Row> all = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            for (Workload workload : WORKLOADS) {
                for (TargetRun run : runs) {
                    all.add(
                            run.measure(
                                    workload, CONNECTIONS, Duration.ofSeconds(1), options.time()));
                }
            }
        }
        return all;
    }

    /** Reports medians of the processor time, compared with the first server's. */
    private static void reportCost(List<Row> all, Report report) {
        for (Workload workload : WORKLOADS) {
            List<Row> rows =
                    all.stream().filter(row -> row.workload().equals(workload.title())).toList();
            double bare = medianMicros(rows, rows.get(0).system());
            for (String system : rows.stream().map(Row::system).distinct().toList()) {
                double micros = medianMicros(rows, system);
                report.fact(
                        workload.title() + ", " + system,
                        String.format(Locale.ROOT, "%.1f us, %+.1f us", micros, micros - bare));
            }
        }
    }

    private static double medianMicros(List<Row> rows, String system) {
        double[] sorted =
                rows.stream()
                        .filter(row -> row.system().equals(system))
                        .mapToDouble(Row::cpuMicrosPerOperation)
                        .sorted()
                        .toArray();
        return sorted[sorted.length / 2];
    }
}
