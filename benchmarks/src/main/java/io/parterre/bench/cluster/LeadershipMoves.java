package io.parterre.bench.cluster;

import static org.awaitility.Awaitility.await;

import io.parterre.bench.report.Figure;
import io.parterre.bench.report.Figures;
import io.parterre.bench.report.LoadAverage;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.process.ClusterProcesses;
import io.parterre.chaos.process.Operator;
import io.parterre.chaos.workload.Durations;
import io.parterre.chaos.workload.Writers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/**
 * Moves leadership from one server to the next by an operator's command: measures for how long
 * nothing is acknowledged.
 */
public record LeadershipMoves(int moves) implements Course {
    private static final int WRITERS = 8;
    private static final int WRITES_AROUND = 60;
    private static final Duration MOVED_WITHIN = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(10);
    private static final Duration GAP_MAX = Duration.ofMillis(200);

    @Override
    public List<Figure> run(Subject subject, Consumer<String> progress) {
        LoadAverage load = LoadAverage.begin();
        List<TableConnection> connections = subject.connections();
        Writers writers = subject.writers(WRITERS, connections);
        Durations gaps = new Durations();
        Durations usualGaps = new Durations();
        writers.start(connections);
        for (int i = 1; i <= moves; i++) {
            // The same load without a move, to measure the effect of other load of the machine.
            writers.pulse().watchFrom(System.nanoTime());
            writers.awaitAcknowledged(2 * WRITES_AROUND);
            usualGaps.add(writers.pulse().longestSilence());
            Instant begun = Instant.now();
            writers.pulse().watchFrom(System.nanoTime());
            String to = moveLead(subject);
            writers.awaitAcknowledged(WRITES_AROUND);
            Duration gap = writers.pulse().longestSilence();
            gaps.add(gap);
            progress.accept(
                    "move %d of %d: to %s at %s, longest gap %d ms"
                            .formatted(i, moves, to, begun, gap.toMillis()));
        }
        writers.stop();
        return new Figures(load.end())
                .held(
                        "N3",
                        "planned move of leadership, longest gap between two acknowledged writes",
                        "p99 200 ms",
                        Percentiles.millis(gaps),
                        Percentiles.within(gaps, 99, GAP_MAX),
                        Percentiles.raw(gaps))
                .fact(
                        "N3",
                        "longest gap in 120 writes with no move",
                        Percentiles.millis(usualGaps),
                        Percentiles.raw(usualGaps))
                .count(
                        "N3",
                        "the same: calls answered with an error or not at all, of "
                                + writers.acknowledged(),
                        writers.failed() + writers.unanswered())
                .all();
    }

    private static String moveLead(Subject subject) {
        ClusterProcesses cluster = subject.cluster();
        Operator operator = cluster.operator();
        String leader = cluster.leadingServer();
        List<String> others =
                operator.members().stream().filter(node -> !node.equals(leader)).toList();
        String to = others.get(subject.random().nextInt(others.size()));
        operator.ask("move-leader", operator.firstRange(), to);
        await("lead of " + to)
                .atMost(MOVED_WITHIN)
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL)
                .until(() -> cluster.leads(to));
        return to;
    }
}
