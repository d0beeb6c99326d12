package io.parterre.bench.cluster;

import io.parterre.bench.report.Figure;
import io.parterre.bench.report.Figures;
import io.parterre.bench.report.LoadAverage;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.fault.Fault;
import io.parterre.chaos.fault.Nemesis;
import io.parterre.chaos.workload.Durations;
import io.parterre.chaos.workload.Registers;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Stops the leading server for a while and continues it. It must not answer a read from its old
 * state: values that one writer each counts up are read through every front end all the time.
 */
public record LeaderPauses(int pauses) implements Course {
    private static final int WRITES_BETWEEN = 50;
    private static final int MILLIS_MIN = 3_000;
    private static final int MILLIS_MAX = 6_000;
    private static final Duration USUAL_MAX = Duration.ofMillis(1_500);
    private static final Duration WORST_MAX = Duration.ofSeconds(5);

    @Override
    public List<Figure> run(Subject subject, Consumer<String> progress) {
        LoadAverage load = LoadAverage.begin();
        List<TableConnection> connections = subject.connections();
        Registers registers = new Registers(subject.freshTable("Registers"));
        connections.get(0).createTable(registers.table());
        Nemesis nemesis = new Nemesis(subject.cluster(), registers.pulse());
        Durations recoveries = new Durations();
        registers.start(connections);
        for (int i = 1; i <= pauses; i++) {
            registers.awaitWritten(WRITES_BETWEEN);
            Duration pause =
                    Duration.ofMillis(subject.random().nextInt(MILLIS_MIN, MILLIS_MAX + 1));
            Nemesis.Outcome outcome =
                    nemesis.run(
                            new Fault(Fault.Kind.PAUSE, Fault.Target.LEADING_SERVER, 0, 0, pause));
            recoveries.add(outcome.recovery());
            progress.accept(
                    "pause %d of %d: %s for %d ms, first write after %d ms"
                            .formatted(
                                    i,
                                    pauses,
                                    outcome.node(),
                                    pause.toMillis(),
                                    outcome.recovery().toMillis()));
        }
        registers.stop();
        registers.violations().forEach(each -> progress.accept("stale or wrong: " + each));
        return new Figures(load.end())
                .held(
                        "N2",
                        "leader stopped by SIGSTOP, until the first write begun after it",
                        "p50 1.5 s, p99 5 s",
                        Percentiles.seconds(recoveries),
                        Percentiles.within(recoveries, 50, USUAL_MAX)
                                && Percentiles.within(recoveries, 99, WORST_MAX),
                        Percentiles.raw(recoveries))
                .count(
                        "N2",
                        "the same: stale reads, of " + registers.reads(),
                        registers.violations().size())
                .count(
                        "N2",
                        "the same: calls answered with an error or not at all",
                        registers.failed() + registers.unanswered())
                .all();
    }
}
