package io.parterre.bench;

import io.parterre.bench.cluster.ReplicatedRates;
import io.parterre.bench.load.Endpoint;
import io.parterre.bench.patterns.AppendPattern;
import io.parterre.bench.patterns.DeletePattern;
import io.parterre.bench.patterns.TailPattern;
import io.parterre.bench.report.LoadAverage;
import io.parterre.bench.report.Report;
import io.parterre.chaos.process.Operator;
import io.parterre.deploy.local.LocalClusterPlan;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures patterns of the table design guide, compared with what they replace. */
@Command(
        name = "patterns",
        description = {
            "Patterns of the table design guide beside what they are to be used instead of, on a",
            "cluster of processes that is made for it, or on an endpoint: appends in the order of",
            "time and by buckets, deletes of many entities and of their table, the newest entities",
            "of a partition that grows by ascending and by descending keys."
        },
        showDefaultValues = true)
final class PatternsCommand extends MeasuringCommand {
    /** A pattern and what it replaces. */
    enum Part {
        APPEND,
        DELETE,
        TAIL
    }

    @Mixin private AccountOptions account;
    @Mixin private ClusterOptions clusters;

    @Option(
            names = "--only",
            split = ",",
            defaultValue = "APPEND,DELETE,TAIL",
            description = "One or more of ${COMPLETION-CANDIDATES}.")
    private List<Part> parts;

    @Option(
            names = "--url",
            description = "Endpoint with its base path, instead of a cluster; tables are removed.")
    private URI url;

    @Option(
            names = "--split-above",
            defaultValue = "250",
            description = "Policy split.operationsPerSecondMax of the cluster.")
    private int splitAbove;

    @Option(names = "--observe-for", defaultValue = "4s", description = "Policy split.observeFor.")
    private String observeFor;

    @Option(names = "--connections", defaultValue = "32", description = "Callers that append.")
    private int connections;

    @Option(
            names = "--settle",
            defaultValue = "40",
            description = "Seconds of each append before both are measured: ranges may be split.")
    private int settleSeconds;

    @Option(
            names = "--rounds",
            defaultValue = "3",
            description = "So often each append is measured, by turns.")
    private int rounds;

    @Option(names = "--time", defaultValue = "6", description = "Seconds of each round.")
    private int seconds;

    @Option(
            names = "--delete-entities",
            defaultValue = "10000",
            description = "Deleted each way; a multiple of 100.")
    private long deleteEntities;

    @Option(
            names = "--tail-entities",
            split = ",",
            defaultValue = "1000,10000,50000",
            description = "Sizes of the partition, ascending multiples of 100.")
    private List<Long> tailEntities;

    @Option(names = "--top", defaultValue = "10", description = "Newest entities asked for.")
    private int top;

    @Override
    String title() {
        return "Guide patterns";
    }

    @Override
    void measure(Report report) throws IOException, InterruptedException {
        LoadAverage load = LoadAverage.begin();
        if (url != null) {
            measure(account.at(url), Optional.empty(), report);
        } else {
            measureCluster(report);
        }
        report.fact("load average", load.end());
        report.printContrasts();
    }

    private void measureCluster(Report report) throws IOException, InterruptedException {
        List<String> policy =
                List.of(
                        "split.enabled=true",
                        "split.operationsPerSecondMax=" + splitAbove,
                        "split.observeFor=" + observeFor);
        report.fact("policy", String.join(" ", policy));
        clusters.use(
                folder(),
                "patterns-",
                LocalClusterPlan.of(3, 1),
                List.of(),
                policy,
                out(),
                cluster ->
                        measure(
                                ReplicatedRates.endpoint(cluster),
                                Optional.of(cluster.operator()),
                                report));
    }

    private void measure(Endpoint endpoint, Optional<Operator> operator, Report report)
            throws IOException {
        // Names that no table had before, and that show their origin.
        String prefix = "patterns" + System.currentTimeMillis() / 1_000;
        for (Part part : parts) {
            report.contrasts(
                    switch (part) {
                        case APPEND ->
                                new AppendPattern(
                                                endpoint,
                                                operator,
                                                prefix + "append",
                                                connections,
                                                Duration.ofSeconds(settleSeconds),
                                                rounds,
                                                Duration.ofSeconds(seconds))
                                        .run(this::print);
                        case DELETE ->
                                new DeletePattern(
                                                endpoint,
                                                prefix + "delete",
                                                deleteEntities,
                                                connections)
                                        .run(this::print);
                        case TAIL ->
                                new TailPattern(endpoint, prefix + "tail", tailEntities, top)
                                        .run(this::print);
                    });
        }
    }
}
