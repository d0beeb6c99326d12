package io.parterre.bench;

import io.parterre.bench.load.LoadLoop;
import io.parterre.bench.load.TenthsRecorder;
import io.parterre.bench.report.Report;
import io.parterre.bench.subject.Children;
import io.parterre.bench.subject.Target;
import io.parterre.bench.subject.Targets;
import io.parterre.bench.work.Dataset;
import io.parterre.bench.work.FilterScans;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Whether a selective filter goes through a large table as fast as through a small one. */
@Command(
        name = "scan",
        description = "Filter scans of tables of several sizes by one connection.",
        mixinStandardHelpOptions = true)
final class ScanCommand implements Callable<Integer> {
    private static final long ENTITIES_WARM_UP = 500_000;
    private static final long ENTITIES_MEASURED = 2_000_000;

    @Spec private CommandSpec spec;
    @Mixin private RunOptions options;
    @Mixin private ServerOptions server;

    @Option(names = "--entities", split = ",", defaultValue = "10000,100000,1000000")
    private List<Long> sizes;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Report report = options.open("Filter scans", spec.commandLine().getOut());
        try (Children children = new Children()) {
            Targets targets = new Targets(children, options.folder());
            try (Target target = server.start(targets)) {
                for (long size : sizes) {
                    measure(target, new Dataset("dataset" + size, size), report);
                }
            }
        }
        options.close(report);
        return 0;
    }

    private static void measure(Target target, Dataset dataset, Report report) throws IOException {
        TargetRun.create(target.endpoint(), dataset.table());
        TargetRun.fill(target.endpoint(), dataset, Duration.ofMinutes(30));
        scan(target, dataset, ENTITIES_WARM_UP);
        double cpuBefore = target.use().cpuSeconds();
        TenthsRecorder scanned = scan(target, dataset, ENTITIES_MEASURED);
        double cpuSeconds = target.use().cpuSeconds() - cpuBefore;
        report.fact(
                "%,d entities".formatted(dataset.entities()),
                "%,.0f entities/s, %,.0f per second of processor time, errors %s"
                        .formatted(
                                scanned.perSecond(),
                                scanned.loaded() / Math.max(0.01, cpuSeconds),
                                scanned.firstErrors()));
    }

    /** Scans the table as often as it takes to see that many entities. */
    private static TenthsRecorder scan(Target target, Dataset dataset, long entities)
            throws IOException {
        long scans = Math.max(1, entities / dataset.entities());
        TenthsRecorder recorder = new TenthsRecorder(scans * dataset.entities());
        new LoadLoop(
                        target.endpoint(),
                        1,
                        new FilterScans(dataset, 1, scans, dataset.entities()),
                        recorder)
                .run(Duration.ofMinutes(10));
        return recorder;
    }
}
