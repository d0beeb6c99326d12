package io.parterre.bench;

import io.parterre.bench.cluster.Course;
import io.parterre.bench.cluster.IdleCost;
import io.parterre.bench.cluster.LeaderKills;
import io.parterre.bench.cluster.LeaderPauses;
import io.parterre.bench.cluster.LeadershipMoves;
import io.parterre.bench.cluster.MajorityKills;
import io.parterre.bench.cluster.ManyRanges;
import io.parterre.bench.cluster.OnePartitionRates;
import io.parterre.bench.cluster.Overload;
import io.parterre.bench.cluster.ReplicatedRates;
import io.parterre.bench.cluster.RollingRestart;
import io.parterre.bench.cluster.SplitsAndMerges;
import io.parterre.bench.cluster.Subject;
import io.parterre.bench.load.Endpoint;
import io.parterre.bench.load.Measurement;
import io.parterre.bench.report.Figure;
import io.parterre.bench.report.Figures;
import io.parterre.bench.report.LoadAverage;
import io.parterre.bench.report.Report;
import io.parterre.bench.report.Row;
import io.parterre.bench.subject.Children;
import io.parterre.bench.subject.Etcd;
import io.parterre.bench.subject.EtcdLoad;
import io.parterre.bench.work.Dataset;
import io.parterre.bench.work.Workload;
import io.parterre.chaos.process.SettingsLine;
import io.parterre.deploy.local.LocalClusterPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures a cluster of three managers, three servers and front ends, each a process: which faults
 * it survives and how fast it is.
 */
@Command(
        name = "cluster",
        description = {
            "A cluster of processes: failover, planned moves, losses, rolling restart, idle cost,",
            "and replicated writes and reads beside etcd (where there is one). Prints each figure",
            "beside its bar."
        })
final class ClusterCommand extends MeasuringCommand {
    private static final List<Integer> CONNECTIONS = List.of(1, 16, 64, 256);
    private static final Duration SETTLE = Duration.ofSeconds(10);
    private static final Duration IDLE_TIME = Duration.ofSeconds(20);
    private static final int FILL_ENTITIES = 10_000;
    private static final int ONE_PARTITION_CONNECTIONS = 64;

    /** Enough for a measured server, which needs the second compiler. */
    private static final String RATES_OPTIONS = "-XX:TieredStopAtLevel=4 -Xmx400m";

    /** Disables splits, so that figures of one range are not taken from several in the end. */
    private static final List<String> AS_THEY_ARE = List.of("split.enabled=false");

    /** What can be measured, by the number used in documents. */
    enum Part {
        IDLE,
        RANGES,
        N1,
        N2,
        N3,
        N5,
        N6,
        N7,
        N11,
        N15,
        N22,
        R1,
        R2
    }

    @Mixin private RunOptions options;
    @Mixin private ClusterOptions clusters;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "PART",
            description = "Some of ${COMPLETION-CANDIDATES}; default: all.")
    private Set<Part> only = EnumSet.allOf(Part.class);

    @Option(names = "--kills", defaultValue = "200", description = "N1; default: ${DEFAULT-VALUE}.")
    private int kills;

    @Option(names = "--pauses", defaultValue = "30", description = "N2; default: ${DEFAULT-VALUE}.")
    private int pauses;

    @Option(names = "--moves", defaultValue = "100", description = "N3; default: ${DEFAULT-VALUE}.")
    private int moves;

    @Option(
            names = "--splits",
            defaultValue = "40",
            description = "N5 and N6, each undone by a merge; default: ${DEFAULT-VALUE}.")
    private int splits;

    @Option(
            names = "--majority-kills",
            defaultValue = "5",
            description = "N15; default: ${DEFAULT-VALUE}.")
    private int majorityKills;

    @Option(
            names = "--overloads",
            defaultValue = "5",
            description = "N11, each as long as --time; default: ${DEFAULT-VALUE}.")
    private int overloads;

    @Option(
            names = "--partition-max",
            paramLabel = "N",
            defaultValue = "200",
            description =
                    "N11: operations a second that the servers let one partition have; it is asked"
                            + " for five times that. Default: ${DEFAULT-VALUE}.")
    private int partitionMax;

    @Option(
            names = "--ranges",
            defaultValue = "50",
            description =
                    "RANGES: idle ranges, replicated to each server; default: ${DEFAULT-VALUE}.")
    private int ranges;

    @Option(names = "--connections", split = ",", description = "R1 and R2; default: 1,16,64,256.")
    private List<Integer> connections = CONNECTIONS;

    @Option(
            names = "--java-options",
            paramLabel = "OPTIONS",
            defaultValue = "",
            description = "More options for every process, as a recording.")
    private String javaOptions;

    @Option(
            names = "--seed",
            description = "Fixes what writers plan and whom a move elects; default: the time.")
    private long seed = System.nanoTime();

    @Override
    String title() {
        return "parterre, a cluster of processes";
    }

    @Override
    void measure(Report report) throws IOException, InterruptedException {
        report.fact("seed", seed);
        reportSyncRate(report);
        List<Course> courses = courses();
        if (!courses.isEmpty()) {
            run(courses, report);
        }
        if (only.contains(Part.N5) || only.contains(Part.N6)) {
            run(
                    List.of(
                            new SplitsAndMerges(
                                    splits, only.contains(Part.N5), only.contains(Part.N6))),
                    report);
        }
        if (only.contains(Part.N7)) {
            measureOnePartition(report);
        }
        if (only.contains(Part.N11)) {
            measureOverload(report);
        }
        if (only.contains(Part.RANGES)) {
            run(List.of(new ManyRanges(ranges, new IdleCost(SETTLE, IDLE_TIME))), report);
        }
        if (only.contains(Part.R1) || only.contains(Part.R2)) {
            measureRates(report);
        }
        report.printFigures();
    }

    private List<Course> courses() {
        List<Course> courses = new ArrayList<>();
        for (Part part : EnumSet.copyOf(only)) {
            switch (part) {
                case IDLE -> courses.add(new IdleCost(SETTLE, IDLE_TIME));
                case N1 -> courses.add(new LeaderKills(kills));
                case N2 -> courses.add(new LeaderPauses(pauses));
                case N3 -> courses.add(new LeadershipMoves(moves));
                case N15 -> courses.add(new MajorityKills(majorityKills));
                case N22 -> courses.add(new RollingRestart(Duration.ofSeconds(20)));
                case N5, N6, N7, N11, RANGES, R1, R2 -> {
                    // These parts run on clusters of their own.
                }
            }
        }
        return courses;
    }

    private void withCluster(int frontEnds, String options, ClusterOptions.Use use)
            throws IOException, InterruptedException {
        withCluster(frontEnds, options, List.of(), use);
    }

    private void withCluster(
            int frontEnds, String options, List<SettingsLine> settings, ClusterOptions.Use use)
            throws IOException, InterruptedException {
        LocalClusterPlan plan =
                LocalClusterPlan.of(3, frontEnds)
                        .withJvmOptions(
                                Stream.of(options, javaOptions)
                                        .flatMap(text -> Arrays.stream(text.split(" ", -1)))
                                        .filter(word -> !word.isEmpty())
                                        .toList());
        clusters.use(folder(), "cluster-", plan, settings, AS_THEY_ARE, out(), use);
    }

    private void run(List<Course> courses, Report report) throws IOException, InterruptedException {
        withCluster(
                2,
                "",
                cluster -> {
                    Subject subject = new Subject(cluster, seed);
                    for (Course course : courses) {
                        report.figures(course.run(subject, this::print));
                    }
                });
    }

    private void measureOnePartition(Report report) throws IOException, InterruptedException {
        withCluster(
                1,
                RATES_OPTIONS,
                cluster -> {
                    Endpoint endpoint = ReplicatedRates.endpoint(cluster);
                    TargetRun.create(endpoint, "onepartition");
                    report.figures(
                            new OnePartitionRates(
                                            endpoint,
                                            "onepartition",
                                            ONE_PARTITION_CONNECTIONS,
                                            options.warmUp(),
                                            options.time())
                                    .run());
                });
    }

    private void measureOverload(Report report) throws IOException, InterruptedException {
        SettingsLine cap =
                new SettingsLine(
                        "server.rpc.rangeCaps.partitionOperationsPerSecondMax",
                        Integer.toString(partitionMax));
        withCluster(
                1,
                RATES_OPTIONS,
                List.of(cap),
                cluster -> {
                    Endpoint endpoint = ReplicatedRates.endpoint(cluster);
                    Dataset dataset = new Dataset("dataset", FILL_ENTITIES);
                    // A batch fills its own partition, and all entities read come from the hot
                    // partition.
                    Dataset hot = new Dataset("hot", Dataset.PARTITION_ROWS);
                    TargetRun.create(endpoint, dataset.table());
                    TargetRun.create(endpoint, "growing");
                    TargetRun.create(endpoint, hot.table());
                    TargetRun.fill(endpoint, dataset, Duration.ofMinutes(5));
                    TargetRun.fill(endpoint, hot, Duration.ofMinutes(1));
                    report.figures(
                            new Overload(
                                            endpoint,
                                            partitionMax,
                                            dataset,
                                            "growing",
                                            hot.table(),
                                            hot.entities(),
                                            overloads,
                                            options.time())
                                    .run(this::print));
                });
    }

    private void measureRates(Report report) throws IOException, InterruptedException {
        Optional<Path> program = Etcd.find();
        report.fact("etcd", program.isPresent() ? Etcd.version(program.get()) : "none here");
        withCluster(
                1,
                RATES_OPTIONS,
                cluster -> {
                    Dataset dataset = new Dataset("dataset", FILL_ENTITIES);
                    TargetRun.create(ReplicatedRates.endpoint(cluster), dataset.table());
                    TargetRun.create(ReplicatedRates.endpoint(cluster), "growing");
                    TargetRun.fill(
                            ReplicatedRates.endpoint(cluster), dataset, Duration.ofMinutes(5));
                    ReplicatedRates rates = new ReplicatedRates(cluster, dataset, "growing");
                    try (Children children = new Children()) {
                        if (program.isEmpty()) {
                            measureRates(rates, Optional.empty(), report);
                            return;
                        }
                        try (Etcd etcd = Etcd.start(children, folder(), program.get());
                                EtcdLoad load = new EtcdLoad(etcd.leaderPort(), FILL_ENTITIES)) {
                            load.fill();
                            measureRates(rates, Optional.of(new Peer(etcd, load)), report);
                        }
                    }
                });
        report.printRatios("parterre");
    }

    private void measureRates(ReplicatedRates rates, Optional<Peer> etcd, Report report)
            throws IOException, InterruptedException {
        if (only.contains(Part.R1)) {
            measureRates("R1", Workload.INSERT, EtcdLoad.Question.PUT, rates, etcd, report);
        }
        if (only.contains(Part.R2)) {
            measureRates("R2", Workload.READ, EtcdLoad.Question.GET, rates, etcd, report);
        }
    }

    private void measureRates(
            String id,
            Workload workload,
            EtcdLoad.Question question,
            ReplicatedRates rates,
            Optional<Peer> etcd,
            Report report)
            throws IOException, InterruptedException {
        for (int count : connections) {
            LoadAverage load = LoadAverage.begin();
            Row own = rates.measure(workload, count, options.warmUp(), options.time());
            report.row(own);
            if (etcd.isPresent()) {
                Row other = etcd.get().measure(workload, question, count);
                report.row(other);
                report.figures(Bars.of(id, workload, own, other, load.end()));
            }
        }
    }

    /** The bars of rates: their comparison with the peer's. */
    private static final class Bars {
        private static final double INSERTS_MIN = 2;
        private static final double READS_MIN = 3;
        private static final int FROM_CONNECTIONS = 64;

        private Bars() {}

        static List<Figure> of(
                String id, Workload workload, Row own, Row other, String loadAverage) {
            double ratio = own.perSecond() / other.perSecond();
            String measured =
                    String.format(
                            Locale.ROOT,
                            "%,.0f/s, etcd %,.0f/s: %.1f; p50 %.2f ms, etcd %.2f ms; errors %d",
                            own.perSecond(),
                            other.perSecond(),
                            ratio,
                            own.measurement().latency().p50() / 1e3,
                            other.measurement().latency().p50() / 1e3,
                            own.measurement().errorCount() + other.measurement().errorCount());
            String what =
                    "replicated %s, %d connections, beside etcd"
                            .formatted(workload.title(), own.connections());
            Map<String, Object> raw = Map.of("ratio", ratio);
            Figures figures = new Figures(loadAverage);
            if (workload == Workload.READ) {
                return figures.held(id, what, "ratio 3", measured, ratio >= READS_MIN, raw).all();
            }
            if (own.connections() >= FROM_CONNECTIONS) {
                return figures.held(id, what, "ratio 2", measured, ratio >= INSERTS_MIN, raw).all();
            }
            if (own.connections() == 1) {
                boolean held =
                        own.measurement().latency().p50() <= other.measurement().latency().p50();
                return figures.held(id, what, "p50 no worse", measured, held, raw).all();
            }
            return figures.fact(id, what, measured, raw).all();
        }
    }

    /** The peer and its load. */
    private final class Peer {
        private final Etcd etcd;
        private final EtcdLoad load;

        Peer(Etcd etcd, EtcdLoad load) {
            this.etcd = etcd;
            this.load = load;
        }

        Row measure(Workload workload, EtcdLoad.Question question, int count)
                throws IOException, InterruptedException {
            load.measure(question, count, Duration.ZERO, options.warmUp());
            double cpuBefore = etcd.cpuSeconds();
            Measurement measured = load.measure(question, count, Duration.ZERO, options.time());
            return new Row(
                    "etcd",
                    workload.title(),
                    "operations",
                    count,
                    (etcd.cpuSeconds() - cpuBefore) * 1e6 / Math.max(1, measured.operations()),
                    measured);
        }
    }
}
