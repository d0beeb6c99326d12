package io.parterre.bench.cluster;

import io.parterre.bench.report.Figure;
import io.parterre.bench.report.Figures;
import io.parterre.bench.report.LoadAverage;
import io.parterre.chaos.client.Answer;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.workload.Durations;
import io.parterre.chaos.workload.Verification;
import io.parterre.chaos.workload.Writers;
import io.parterre.deploy.node.RoleName;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Kills all servers at the same moment, under load, and starts them again on the data on disk. */
public record MajorityKills(int kills) implements Course {
    private static final int WRITERS = 4;
    private static final int WRITES_BETWEEN = 200;

    @Override
    public List<Figure> run(Subject subject, Consumer<String> progress) {
        LoadAverage load = LoadAverage.begin();
        List<TableConnection> connections = subject.connections();
        Writers writers = subject.writers(WRITERS, connections);
        List<String> servers = subject.cluster().names(RoleName.PARTITION_SERVER);
        Durations recoveries = new Durations();
        long lost = 0;
        for (int i = 1; i <= kills; i++) {
            writers.start(connections);
            writers.awaitAcknowledged(WRITES_BETWEEN);
            writers.pulse().watchFrom(System.nanoTime());
            subject.cluster().kill(servers);
            subject.cluster().restartAll();
            writers.awaitAcknowledged(WRITES_BETWEEN);
            writers.stop();
            barrier(connections, writers);
            lost += Losses.of(new Verification(connections.get(0), writers), progress).size();
            Duration recovery = writers.pulse().recovery().orElseThrow();
            recoveries.add(recovery);
            progress.accept(
                    "all servers killed %d of %d: first write after %d ms, starts included"
                            .formatted(i, kills, recovery.toMillis()));
        }
        return new Figures(load.end())
                .count(
                        "N15",
                        "kill -9 of all three servers at once, %d times: acknowledged writes lost, of %d"
                                .formatted(kills, writers.acknowledged()),
                        lost)
                .fact(
                        "N15",
                        "the same: until the first write begun after it, starts included",
                        Percentiles.seconds(recoveries),
                        Percentiles.raw(recoveries))
                .all();
    }

    /**
     * Waits for writes in doubt that may be in a queue: none is in flight once a later write has
     * been applied.
     */
    private static void barrier(List<TableConnection> connections, Writers writers) {
        for (TableConnection connection : connections) {
            Answer answer = writers.barrier(connection);
            if (!(answer instanceof Answer.Acknowledged)) {
                throw new IllegalStateException("no write is acknowledged any more: " + answer);
            }
        }
    }
}
