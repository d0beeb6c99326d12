package io.parterre.bench.cluster;

import static org.awaitility.Awaitility.await;

import io.parterre.bench.report.Figure;
import io.parterre.bench.report.Figures;
import io.parterre.bench.report.LoadAverage;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.workload.Durations;
import io.parterre.chaos.workload.Writers;
import io.parterre.deploy.node.RoleName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Restarts every process by SIGTERM and a start, one after the other, under load: managers,
 * servers, front ends. Continues with the next process when the cluster is healthy again.
 */
public record RollingRestart(Duration before) implements Course {
    private static final int WRITERS = 4;
    private static final double RATIO_MAX = 2;

    @Override
    public List<Figure> run(Subject subject, Consumer<String> progress) {
        LoadAverage load = LoadAverage.begin();
        List<TableConnection> connections = subject.followingConnections();
        Writers writers = subject.writers(WRITERS, connections);
        writers.start(connections);
        writers.awaitAcknowledged(200);
        Durations usual = undisturbed(writers);
        progress.accept("before: write " + Percentiles.millis(usual));
        writers.pulse().watchFrom(System.nanoTime());
        for (String name : inTurn(subject)) {
            long unansweredBefore = writers.unanswered();
            subject.cluster().stop(name);
            subject.cluster().restart(name);
            subject.cluster().awaitHealthy();
            progress.accept(
                    "restarted %s: unanswered %d, failed so far %d"
                            .formatted(
                                    name,
                                    writers.unanswered() - unansweredBefore,
                                    writers.failed()));
        }
        Durations during = writers.pulse().takeLatencies();
        writers.stop();
        progress.accept("during: write " + Percentiles.millis(during));
        double ratio =
                (double) during.percentile(99).toNanos()
                        / Math.max(1, usual.percentile(99).toNanos());
        return new Figures(load.end())
                .count(
                        "N22",
                        "rolling restart of all %d processes: calls answered with an error or not at all, of %d"
                                .formatted(inTurn(subject).size(), during.count()),
                        writers.failed() + writers.unanswered())
                .held(
                        "N22",
                        "the same: p99 of a write before and during",
                        "ratio 2",
                        String.format(
                                Locale.ROOT,
                                "%d ms, %d ms: %.1f; max %d ms",
                                usual.percentile(99).toMillis(),
                                during.percentile(99).toMillis(),
                                ratio,
                                during.percentile(100).toMillis()),
                        ratio <= RATIO_MAX,
                        Map.of("beforeMillis", usual.millis(), "duringMillis", during.millis()))
                .all();
    }

    private Durations undisturbed(Writers writers) {
        long endNanos = System.nanoTime() + before.toNanos();
        writers.pulse().watchFrom(System.nanoTime());
        await("time before the restarts")
                .atMost(before.plusSeconds(60))
                .until(() -> System.nanoTime() - endNanos >= 0);
        return writers.pulse().takeLatencies();
    }

    private static List<String> inTurn(Subject subject) {
        List<String> names = new ArrayList<>();
        names.addAll(subject.cluster().names(RoleName.PARTITION_MANAGER));
        names.addAll(subject.cluster().names(RoleName.PARTITION_SERVER));
        names.addAll(subject.cluster().names(RoleName.FRONT_END));
        return names;
    }
}
