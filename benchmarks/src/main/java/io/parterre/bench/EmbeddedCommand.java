package io.parterre.bench;

import static io.parterre.bench.work.Workload.BATCH;
import static io.parterre.bench.work.Workload.INSERT;
import static io.parterre.bench.work.Workload.MERGE;
import static io.parterre.bench.work.Workload.MIXED;
import static io.parterre.bench.work.Workload.PAGE;
import static io.parterre.bench.work.Workload.READ;
import static io.parterre.bench.work.Workload.SCAN;

import io.parterre.bench.report.Comparison;
import io.parterre.bench.report.Report;
import io.parterre.bench.subject.Children;
import io.parterre.bench.subject.ProcessUse;
import io.parterre.bench.subject.Target;
import io.parterre.bench.subject.Targets;
import io.parterre.bench.work.Dataset;
import io.parterre.bench.work.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures Parterre in one process: start, memory, every workload. */
@Command(
        name = "embedded",
        description = "Start, memory and every workload of 'parterre embedded'.")
final class EmbeddedCommand extends MeasuringCommand {
    @Mixin private RunOptions options;
    @Mixin private ServerOptions server;

    @Option(names = "--entities", defaultValue = "10000", description = "Of the table read.")
    private long entities;

    @Option(names = "--starts", defaultValue = "5", description = "Starts to take the median of.")
    private int starts;

    @Option(
            names = "--cold",
            paramLabel = "SECONDS",
            defaultValue = "90",
            description = {
                "Load on a server from its first second on, inserts and reads at 16; 0: none.",
                "Default: ${DEFAULT-VALUE}."
            })
    private int coldSeconds;

    @Option(names = "--cold-only", description = "Starts and cold servers, and no rows.")
    private boolean coldOnly;

    @Option(
            names = "--settle",
            paramLabel = "SECONDS",
            defaultValue = "5",
            description = "Idle time before memory is read; default: ${DEFAULT-VALUE}.")
    private int settleSeconds;

    @Option(
            names = "--rows",
            split = ",",
            paramLabel = "WORKLOAD@CONNECTIONS",
            converter = Plan.Parser.class,
            description = "Only these rows, as READ@16,INSERT@64; default: all of them.")
    private List<Plan> plans = PLANS;

    /**
     * The measurements in their order: workloads that only read first, while the server's data is
     * small.
     */
    private static final List<Plan> PLANS =
            List.of(
                    new Plan(READ, 1, 16, 64),
                    new Plan(PAGE, 1, 4),
                    new Plan(SCAN, 1),
                    new Plan(INSERT, 1, 4, 16, 64),
                    new Plan(MERGE, 1, 16, 64),
                    new Plan(BATCH, 1, 4, 16),
                    new Plan(MIXED, 16, 64));

    /** A workload and the numbers of connections to measure it with. */
    record Plan(Workload workload, int... connections) {
        /** Parses the form {@code READ@16}. */
        static final class Parser implements ITypeConverter<Plan> {
            @Override
            public Plan convert(String text) {
                String[] parts = text.split("@", 2);
                return new Plan(Workload.valueOf(parts[0]), Integer.parseInt(parts[1]));
            }
        }
    }

    @Override
    String title() {
        return "parterre embedded";
    }

    @Override
    void measure(Report report) throws IOException, InterruptedException {
        reportSyncRate(report);
        try (Children children = new Children()) {
            Targets targets = new Targets(children, folder());
            measureStarts(targets, report);
            measureCold(targets, report);
            if (coldOnly) {
                return;
            }
            try (Target target = server.start(targets)) {
                measureRows(target, report);
            }
        }
    }

    private void measureStarts(Targets targets, Report report)
            throws IOException, InterruptedException {
        List<Long> millis = new ArrayList<>();
        List<Double> cpuSeconds = new ArrayList<>();
        for (int i = 0; i < starts; i++) {
            try (Target target = server.startPlainly(targets)) {
                millis.add(target.startTime().toMillis());
                cpuSeconds.add(target.use().cpuSeconds());
            }
        }
        if (starts > 0) {
            report.fact("starts to first answer, ms", millis.toString());
            report.fact("median start, ms", millis.stream().sorted().toList().get(starts / 2));
            report.fact("processor time of these starts, s", cpuSeconds.toString());
        }
    }

    private void measureCold(Targets targets, Report report)
            throws IOException, InterruptedException {
        if (coldSeconds == 0) {
            return;
        }
        ColdStart cold = new ColdStart(coldSeconds, server.javaRelease());
        for (Workload workload : List.of(INSERT, READ)) {
            try (Target target = server.startPlainly(targets)) {
                cold.measure(workload, target, report);
            }
        }
        report.printFigures();
    }

    private void measureRows(Target target, Report report)
            throws IOException, InterruptedException {
        reportUse("at start", target, report);
        settle(target, Duration.ofSeconds(settleSeconds));
        reportUse("idle", target, report);

        TargetRun run = new TargetRun(target, new Dataset("dataset", entities));
        run.prepare(Duration.ofMinutes(5));
        reportUse("filled", target, report);
        for (Plan plan : plans) {
            for (int connections : plan.connections()) {
                report.row(
                        run.measure(
                                plan.workload(), connections, options.warmUp(), options.time()));
            }
        }
        reportUse("after all rows", target, report);
        Comparison.of(BATCH.title(), INSERT.title(), report.rows())
                .forEach(each -> report.fact(each.name(), each.ratio(), "times"));
    }

    /** Waits while a server is idle. */
    static void settle(Target target, Duration time) throws IOException, InterruptedException {
        if (target.process().ended(time)) {
            throw new IOException(target.name() + " ended while it was idle");
        }
    }

    static void reportUse(String when, Target target, Report report) throws IOException {
        ProcessUse use = target.use();
        report.fact(
                when,
                "resident %d MiB (at most %d), %d threads, %.1f s of processor time"
                        .formatted(
                                use.residentBytes() >> 20,
                                use.residentBytesMax() >> 20,
                                use.threads(),
                                use.cpuSeconds()));
    }
}
