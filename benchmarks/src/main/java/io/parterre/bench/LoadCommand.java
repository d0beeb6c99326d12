package io.parterre.bench;

import io.parterre.bench.load.LoadLoop;
import io.parterre.bench.load.TenthsRecorder;
import io.parterre.bench.load.Work;
import io.parterre.bench.report.Report;
import io.parterre.bench.subject.Children;
import io.parterre.bench.subject.Target;
import io.parterre.bench.subject.Targets;
import io.parterre.bench.work.Dataset;
import io.parterre.bench.work.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures whether a server stays as fast as it was while it fills. */
@Command(
        name = "load",
        description = "Loads many entities of 1 KiB and tells whether the server slows down.")
final class LoadCommand extends MeasuringCommand {
    @Mixin private RunOptions options;
    @Mixin private ServerOptions server;

    @Option(names = "--entities", defaultValue = "1000000")
    private long entities;

    @Option(names = "--singles", description = "One entity a request instead of a hundred.")
    private boolean singles;

    @Option(
            names = "--connections",
            defaultValue = "0",
            description = "Default: 4 for batches, 64 for singles.")
    private int connections;

    @Option(
            names = "--minutes",
            defaultValue = "20",
            description = "Ends the load after so long at most; default: ${DEFAULT-VALUE}.")
    private int minutesMax;

    @Option(
            names = "--emulator",
            paramLabel = "FILE",
            description = "Load the emulator (its dist/src/table/main.js) instead.")
    private Path emulator;

    @Override
    String title() {
        return "Load";
    }

    @Override
    void measure(Report report) throws IOException, InterruptedException {
        try (Children children = new Children()) {
            Targets targets = new Targets(children, folder());
            try (Target target =
                    emulator == null ? server.start(targets) : targets.emulator(emulator)) {
                measure(target, report);
            }
        }
    }

    private void measure(Target target, Report report) throws IOException, InterruptedException {
        Dataset dataset = new Dataset("dataset", entities);
        TargetRun.create(target.endpoint(), dataset.table());
        Work work = singles ? Workload.fillSingly(dataset) : Workload.fill(dataset);
        int count = connections > 0 ? connections : singles ? 64 : 4;
        report.fact(
                "load",
                "%,d entities, %s, %d connections, on %s"
                        .formatted(
                                entities,
                                singles ? "one a request" : "batches of 100",
                                count,
                                target.name()));
        TenthsRecorder loaded = new TenthsRecorder(entities);
        try {
            new LoadLoop(target.endpoint(), count, work, loaded)
                    .run(Duration.ofMinutes(minutesMax));
        } catch (IOException lost) {
            report.fact("server lost", lost.getMessage());
        }
        reportLoad(loaded, report);
        if (target.process().alive()) {
            EmbeddedCommand.reportUse("after the load", target, report);
            EmbeddedCommand.settle(target, Duration.ofSeconds(10));
            EmbeddedCommand.reportUse("ten seconds later", target, report);
            report.fact("on disk, MiB", target.bytesOnDisk() >> 20);
        }
    }

    private static void reportLoad(TenthsRecorder loaded, Report report) {
        report.fact("loaded", loaded.loaded());
        report.fact("rate", loaded.perSecond(), "entities/s");
        report.fact(
                "rate of each tenth, entities/s",
                loaded.tenths().stream().map(rate -> Math.round(rate)).toList().toString());
        report.fact(
                "last tenth by first", String.format(Locale.ROOT, "%.2f", loaded.lastByFirst()));
        report.fact("longest time without an answer, ms", loaded.longestStall().toMillis());
        report.fact("slowest answer, ms", loaded.longestAnswer().toMillis());
        report.fact("errors", loaded.errors().toString());
        loaded.firstErrors().forEach((kind, said) -> report.fact("first " + kind, said));
    }
}
