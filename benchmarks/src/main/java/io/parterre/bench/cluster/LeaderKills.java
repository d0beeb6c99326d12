package io.parterre.bench.cluster;

import io.parterre.bench.report.Figure;
import io.parterre.bench.report.Figures;
import io.parterre.bench.report.LoadAverage;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.fault.Fault;
import io.parterre.chaos.fault.Nemesis;
import io.parterre.chaos.workload.Durations;
import io.parterre.chaos.workload.Verification;
import io.parterre.chaos.workload.Writers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/**
 * Kills the leading server repeatedly: measures the time until a write begun after the kill is
 * acknowledged.
 */
public record LeaderKills(int kills) implements Course {
    private static final int WRITERS = 4;
    private static final int WRITES_BETWEEN = 50;
    private static final Duration USUAL_MAX = Duration.ofMillis(500);
    private static final Duration WORST_MAX = Duration.ofMillis(1_200);

    @Override
    public List<Figure> run(Subject subject, Consumer<String> progress) {
        LoadAverage load = LoadAverage.begin();
        List<TableConnection> connections = subject.connections();
        Writers writers = subject.writers(WRITERS, connections);
        Nemesis nemesis = new Nemesis(subject.cluster(), writers.pulse());
        Durations recoveries = new Durations();
        Fault kill = new Fault(Fault.Kind.KILL, Fault.Target.LEADING_SERVER, 0, 0, Duration.ZERO);
        writers.start(connections);
        for (int i = 1; i <= kills; i++) {
            writers.awaitAcknowledged(WRITES_BETWEEN);
            Instant begun = Instant.now();
            Nemesis.Outcome outcome = nemesis.run(kill);
            recoveries.add(outcome.recovery());
            progress.accept(
                    "kill %d of %d: %s at %s, first write after %d ms"
                            .formatted(
                                    i,
                                    kills,
                                    outcome.node(),
                                    begun,
                                    outcome.recovery().toMillis()));
        }
        writers.stop();
        List<String> lost = Losses.of(new Verification(connections.get(0), writers), progress);
        return new Figures(load.end())
                .held(
                        "N1",
                        "kill -9 of the leading server, until the first write begun after it",
                        "p50 0.5 s, p99 1.2 s",
                        Percentiles.seconds(recoveries),
                        Percentiles.within(recoveries, 50, USUAL_MAX)
                                && Percentiles.within(recoveries, 99, WORST_MAX),
                        Percentiles.raw(recoveries))
                .count(
                        "N1",
                        "the same: acknowledged writes lost, of " + writers.acknowledged(),
                        lost.size())
                .count(
                        "N1",
                        "the same: calls answered with an error or not at all",
                        writers.failed() + writers.unanswered())
                .all();
    }
}
