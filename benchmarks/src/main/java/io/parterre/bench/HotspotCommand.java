package io.parterre.bench;

import io.parterre.bench.hotspot.HotspotFigures;
import io.parterre.bench.hotspot.HotspotPlan;
import io.parterre.bench.hotspot.HotspotRun;
import io.parterre.bench.hotspot.PhaseKind;
import io.parterre.bench.hotspot.RunRecord;
import io.parterre.bench.report.LoadAverage;
import io.parterre.bench.report.Report;
import io.parterre.deploy.local.LocalClusterPlan;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures whether ranges split, move their leadership and merge automatically, under a load that
 * changes.
 */
@Command(
        name = "hotspot",
        description = {
            "A cluster of processes under a load that is even, then hot in one place of the keys,",
            "then in another, then gone: whether ranges split, are led elsewhere and merge by",
            "themselves, how soon, and what callers notice (N4, N5, N6, N12, N13, N19). Prints the",
            "managers' journal with its reasons, and figures beside their bars. Parts that last 0",
            "seconds are left out."
        },
        showDefaultValues = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  benchmarks/run hotspot --hot-rate 4000 --split-above 1500",
            "  benchmarks/run hotspot --moved 0 --returned 0 --joined 0 --quiet 0  only N4 and N5"
        })
final class HotspotCommand extends MeasuringCommand {
    private static final int FRONT_ENDS = 2;

    @Mixin private ClusterOptions clusters;

    @Option(
            names = "--connections",
            defaultValue = "32",
            description = "Callers of each front end; each asks seldom.")
    private int connections;

    @Option(names = "--partitions", defaultValue = "200", description = "Partitions of the table.")
    private int partitions;

    @Option(
            names = "--exponent",
            defaultValue = "1.0",
            description = "Of Zipf's law, by which a hot spot's calls fall on its neighbours.")
    private double exponent;

    @Option(names = "--even-rate", defaultValue = "200", description = "Calls a second at first.")
    private double evenRate;

    @Option(names = "--hot-rate", defaultValue = "1000", description = "With a hot spot.")
    private double hotRate;

    @Option(names = "--quiet-rate", defaultValue = "140", description = "In the end.")
    private double quietRate;

    @Option(
            names = "--split-above",
            defaultValue = "400",
            description = "Policy split.operationsPerSecondMax; half of it is quiet.")
    private int splitAbove;

    @Option(names = "--observe-for", defaultValue = "10s", description = "Policy split.observeFor.")
    private String observeFor;

    @Option(names = "--merge-age", defaultValue = "1m", description = "Policy merge.ageMin.")
    private String mergeAge;

    @Option(
            names = "--policy",
            split = ",",
            paramLabel = "KEY=VALUE",
            description = "More of the managers' policy, as balanceBand=1.")
    private List<String> policy = List.of();

    @Option(names = "--steady", defaultValue = "40", description = "Seconds of even load.")
    private int steadySeconds;

    @Option(names = "--hot", defaultValue = "60", description = "Seconds of the hot spot.")
    private int hotSeconds;

    @Option(names = "--moved", defaultValue = "90", description = "Seconds of it elsewhere.")
    private int movedSeconds;

    @Option(
            names = "--returned",
            defaultValue = "70",
            description = "Seconds in which the busiest server is stopped and started again.")
    private int returnedSeconds;

    @Option(
            names = "--joined",
            defaultValue = "70",
            description = "Seconds from the start of a fourth server on.")
    private int joinedSeconds;

    @Option(
            names = "--quiet",
            defaultValue = "900",
            description = "Seconds at most until all ranges are one again.")
    private int quietSeconds;

    @Option(
            names = "--settle",
            defaultValue = "10",
            description = "Seconds of even load in which decisions are no churn.")
    private int settleSeconds;

    @Option(names = "--seed", defaultValue = "1", description = "Fixes what is asked.")
    private long seed;

    @Override
    String title() {
        return "parterre, a hot spot";
    }

    @Override
    void measure(Report report) throws IOException, InterruptedException {
        PrintWriter out = out();
        HotspotPlan plan = plan();
        report.fact("policy", String.join(" ", plan.policy()));
        report.fact(
                "calls a second",
                String.format(
                        Locale.ROOT,
                        "%.0f even, %.0f hot, %.0f quiet; %d partitions, half reads, half writes"
                                + " of 1 KiB, %d callers",
                        evenRate,
                        hotRate,
                        quietRate,
                        partitions,
                        FRONT_ENDS * connections));
        report.fact("seed", seed);
        LoadAverage load = LoadAverage.begin();
        RunRecord run = run(plan);
        String average = load.end();
        out.println();
        run.journal().forEach(out::println);
        out.println();
        report.fact("ranges", run.rangeCounts());
        report.fact("load average", average);
        report.figures(
                new HotspotFigures(run, Duration.ofSeconds(settleSeconds).toMillis(), average)
                        .all());
        report.printFigures();
    }

    private HotspotPlan plan() {
        List<String> settings =
                new ArrayList<>(
                        List.of(
                                "split.enabled=true",
                                "split.operationsPerSecondMax=" + splitAbove,
                                "split.observeFor=" + observeFor));
        if (quietSeconds > 0) {
            settings.add("merge.enabled=true");
            settings.add("merge.ageMin=" + mergeAge);
        }
        settings.addAll(policy);
        return new HotspotPlan(
                connections,
                partitions,
                exponent,
                settings,
                evenRate,
                hotRate,
                quietRate,
                lasting());
    }

    private Map<PhaseKind, Duration> lasting() {
        Map<PhaseKind, Duration> lasting = new EnumMap<>(PhaseKind.class);
        for (PhaseKind kind : PhaseKind.values()) {
            int seconds =
                    switch (kind) {
                        case STEADY -> steadySeconds;
                        case HOT -> hotSeconds;
                        case MOVED -> movedSeconds;
                        case RETURNED -> returnedSeconds;
                        case JOINED -> joinedSeconds;
                        case QUIET -> quietSeconds;
                    };
            lasting.put(kind, Duration.ofSeconds(seconds));
        }
        return lasting;
    }

    private RunRecord run(HotspotPlan plan) throws IOException, InterruptedException {
        List<RunRecord> record = new ArrayList<>();
        clusters.use(
                folder(),
                "hotspot-",
                LocalClusterPlan.of(3, FRONT_ENDS),
                List.of(),
                List.of(),
                out(),
                cluster -> record.add(new HotspotRun(cluster, plan, seed, this::print).run()));
        return record.get(0);
    }
}
