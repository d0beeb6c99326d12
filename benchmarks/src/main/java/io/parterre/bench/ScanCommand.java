package io.parterre.bench;

import io.parterre.bench.jmh.ScanProfile;
import io.parterre.bench.load.LoadLoop;
import io.parterre.bench.load.TenthsRecorder;
import io.parterre.bench.report.Report;
import io.parterre.bench.subject.Children;
import io.parterre.bench.subject.Target;
import io.parterre.bench.subject.Targets;
import io.parterre.bench.work.Dataset;
import io.parterre.bench.work.FilterScans;
import io.parterre.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures whether a selective filter scans a large table as fast as a small one. */
@Command(name = "scan", description = "Filter scans of tables of several sizes by one connection.")
final class ScanCommand extends MeasuringCommand {
    private static final long ENTITIES_WARM_UP = 500_000;
    private static final long ENTITIES_MEASURED = 2_000_000;

    @Mixin private RunOptions options;
    @Mixin private ServerOptions server;

    @Option(names = "--entities", split = ",", defaultValue = "10000,100000,1000000")
    private List<Long> sizes;

    @Option(
            names = "--profile",
            description = "Also where the time of the last size goes: storage, filter, the rest.")
    private boolean profile;

    @Override
    String title() {
        return "Filter scans";
    }

    @Override
    void measure(Report report) throws IOException, InterruptedException {
        try (Children children = new Children()) {
            Targets targets = new Targets(children, folder());
            try (Target target = server.start(targets)) {
                double serverNanos = 0;
                for (long size : sizes) {
                    serverNanos = measure(target, new Dataset("dataset" + size, size), report);
                }
                if (profile) {
                    profile(sizes.get(sizes.size() - 1), serverNanos, report);
                }
            }
        }
    }

    /** Prints the layers of a scan, and the part of the server's time that they do not explain. */
    private void profile(long entities, double serverNanos, Report report) throws IOException {
        Path folder = Files.createTempDirectory(folder(), "scan-profile");
        try {
            ScanProfile layers = ScanProfile.measure(folder, Math.toIntExact(entities));
            double test = layers.evaluationNanos();
            share("storage: rows out of the store", layers.storageNanos(), serverNanos, report);
            share("evaluation: the filter on stored bytes", test, serverNanos, report);
            share("rest", serverNanos - layers.storageNanos() - test, serverNanos, report);
            share("storage and evaluation together", layers.scanNanos(), serverNanos, report);
            share("the whole server", serverNanos, serverNanos, report);
        } finally {
            DurableFiles.removeFolder(folder);
        }
    }

    private static void share(String name, double nanos, double whole, Report report) {
        report.fact(name, "%,.0f ns an entity, %.0f %%".formatted(nanos, 100 * nanos / whole));
    }

    /** Returns the server's processor time per entity, in nanoseconds. */
    private static double measure(Target target, Dataset dataset, Report report)
            throws IOException {
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
        return 1e9 * cpuSeconds / Math.max(1, scanned.loaded());
    }

    /** Scans the table as often as necessary to examine this many entities. */
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
