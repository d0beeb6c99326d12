package io.parterre.bench;

import io.parterre.bench.load.LoadLoop;
import io.parterre.bench.load.SecondsRecorder;
import io.parterre.bench.report.Figures;
import io.parterre.bench.report.LoadAverage;
import io.parterre.bench.report.Report;
import io.parterre.bench.report.WarmUp;
import io.parterre.bench.subject.Target;
import io.parterre.bench.work.Dataset;
import io.parterre.bench.work.RowNumbers;
import io.parterre.bench.work.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/**
 * The rate of a server that has just started, second by second, under one workload from the first
 * second on.
 */
final class ColdStart {
    private static final int CONNECTIONS = 16;
    private static final int FIRST_SECONDS = 10;

    /** So few entities that filling them warms up nothing: one batch. */
    private static final long ENTITIES = 100;

    private static final String GROWING = "growing";

    /** From this release on the virtual machine keeps profiles of methods. */
    private static final int KEEPS_PROFILES = 25;

    private final int seconds;
    private final double shareMin;
    private final int javaRelease;

    /**
     * Creates a measurement.
     *
     * @param seconds seconds of load; the last sixth counts as steady
     * @param javaRelease Java release that the server runs on
     */
    ColdStart(int seconds, int javaRelease) {
        this.seconds = seconds;
        this.javaRelease = javaRelease;
        this.shareMin = javaRelease >= KEEPS_PROFILES ? 0.7 : 0.5;
    }

    /** Loads a server that has answered nothing yet. */
    void measure(Workload workload, Target target, Report report) throws IOException {
        LoadAverage load = LoadAverage.begin();
        double readySeconds = target.startTime().toMillis() / 1e3;
        double readyCpuSeconds = target.use().cpuSeconds();
        Dataset dataset = new Dataset("dataset", ENTITIES);
        TargetRun.create(target.endpoint(), dataset.table());
        TargetRun.create(target.endpoint(), GROWING);
        TargetRun.fill(target.endpoint(), dataset, Duration.ofMinutes(1));

        SecondsRecorder recorder = new SecondsRecorder(seconds);
        new LoadLoop(
                        target.endpoint(),
                        CONNECTIONS,
                        workload.start(dataset, GROWING, RowNumbers.from(0), CONNECTIONS),
                        recorder)
                .run(Duration.ofSeconds(seconds));
        if (!recorder.firstErrors().isEmpty()) {
            throw new IOException(target.name() + ": " + recorder.firstErrors());
        }
        WarmUp run = new WarmUp(recorder.perSecond());
        double share = run.shareOfFirst(FIRST_SECONDS);
        String what = workload.title() + " at " + CONNECTIONS + ", Java " + javaRelease;
        report.figures(
                new Figures(load.end())
                        .held(
                                "C1",
                                what + ": first 10 s by steady",
                                Double.toString(shareMin),
                                String.format(Locale.ROOT, "%.2f; %s", share, run.told()),
                                share >= shareMin,
                                Map.of(
                                        "share", share,
                                        "perSecond", recorder.perSecond(),
                                        "steady", run.steady()))
                        .fact(
                                "C2",
                                what + ": processor time from start to the end of the load",
                                String.format(Locale.ROOT, "%.1f s", target.use().cpuSeconds()),
                                Map.of("cpuSeconds", target.use().cpuSeconds()))
                        .fact(
                                "C3",
                                "ready, Java " + javaRelease,
                                String.format(
                                        Locale.ROOT,
                                        "%.2f s, %.2f s of processor time",
                                        readySeconds,
                                        readyCpuSeconds),
                                Map.of("seconds", readySeconds, "cpuSeconds", readyCpuSeconds))
                        .all());
    }
}
