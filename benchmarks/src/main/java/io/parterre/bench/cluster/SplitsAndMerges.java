package io.parterre.bench.cluster;

import io.parterre.bench.report.Figure;
import io.parterre.bench.report.Figures;
import io.parterre.bench.report.LoadAverage;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.fault.RangeChange;
import io.parterre.chaos.fault.RangeNemesis;
import io.parterre.chaos.workload.Durations;
import io.parterre.chaos.workload.Verification;
import io.parterre.chaos.workload.Writers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Splits a range between two tables by an operator's command, and merges it again, repeatedly:
 * measures for how long nothing is acknowledged on either side. Needs a cluster in which no other
 * table was written to.
 *
 * @param rounds number of splits, and of merges
 * @param tellsSplits whether figures of splits are reported
 * @param tellsMerges whether figures of merges are reported
 */
public record SplitsAndMerges(int rounds, boolean tellsSplits, boolean tellsMerges)
        implements Course {
    private static final int WRITERS = 2;
    private static final int WRITES_AROUND = 30;

    /** Enough for most of the bytes to be where the first split point is searched. */
    private static final int WRITES_FIRST = 100;

    private static final Duration READ_PAUSE = Duration.ofMillis(20);
    private static final Duration SPLIT_MAX = Duration.ofMillis(100);
    private static final Duration MERGE_MAX = Duration.ofMillis(300);

    /** In key order before all partitions of the writers, and after those of the readers. */
    private static final String SPLIT_POINT = "w";

    /** The callers of one side, on their own table. */
    private record Side(
            Writers writers, Readers readers, Durations splits, Durations merges, Durations reads) {
        static Side of(Subject subject, List<TableConnection> connections, String readPartition) {
            Writers writers = subject.writers(WRITERS, connections);
            return new Side(
                    writers,
                    new Readers(writers.table(), readPartition, READ_PAUSE),
                    new Durations(),
                    new Durations(),
                    new Durations());
        }

        void start(List<TableConnection> connections) {
            writers.start(connections);
            readers.start(connections);
        }

        void watch(long nowNanos) {
            writers.pulse().watchFrom(nowNanos);
            readers.pulse().watchFrom(nowNanos);
        }

        Duration gap() {
            return writers.pulse().longestSilence();
        }

        void stop() throws InterruptedException {
            writers.stop();
            readers.stop();
        }

        long wrong() {
            return writers.failed() + writers.unanswered() + readers.wrong();
        }
    }

    @Override
    public List<Figure> run(Subject subject, Consumer<String> progress) {
        try {
            return measure(subject, progress);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private List<Figure> measure(Subject subject, Consumer<String> progress)
            throws InterruptedException {
        LoadAverage load = LoadAverage.begin();
        List<TableConnection> connections = subject.connections();
        // The table created later has the greater keys, so it is above the split point.
        Side left = Side.of(subject, connections, "a");
        Side right = Side.of(subject, connections, "x");
        RangeNemesis nemesis = new RangeNemesis(subject.cluster().operator(), subject.random(), 2);
        right.start(connections);
        right.writers().awaitAcknowledged(WRITES_FIRST);
        nemesis.splitInHalf();
        left.start(connections);
        done(nemesis, nemesis.planMerge());
        Durations usual = new Durations();
        for (int i = 1; i <= rounds; i++) {
            // The same load without a change, to measure the effect of other load of the machine.
            watch(left, right);
            awaitWrites(left, right);
            usual.add(right.gap());
            watch(left, right);
            done(nemesis, nemesis.planSplit(List.of(SPLIT_POINT)));
            awaitWrites(left, right);
            left.splits().add(left.gap());
            right.splits().add(right.gap());
            right.reads().add(right.readers().pulse().longestSilence());
            watch(left, right);
            done(nemesis, nemesis.planMerge());
            awaitWrites(left, right);
            left.merges().add(left.gap());
            right.merges().add(right.gap());
            progress.accept(
                    "round %d of %d: longest gap of a split %d ms, the other side %d ms; of a merge %d ms, the other side %d ms"
                            .formatted(
                                    i,
                                    rounds,
                                    last(right.splits()),
                                    last(left.splits()),
                                    last(right.merges()),
                                    last(left.merges())));
        }
        left.stop();
        right.stop();
        List<String> lost = new ArrayList<>();
        for (Side side : List.of(left, right)) {
            lost.addAll(Losses.of(new Verification(connections.get(0), side.writers()), progress));
        }
        return figures(left, right, usual, lost.size(), load.end());
    }

    private static void watch(Side left, Side right) {
        long nowNanos = System.nanoTime();
        left.watch(nowNanos);
        right.watch(nowNanos);
    }

    private static void awaitWrites(Side left, Side right) {
        left.writers().awaitAcknowledged(WRITES_AROUND);
        right.writers().awaitAcknowledged(WRITES_AROUND);
    }

    private static void done(RangeNemesis nemesis, RangeChange change) {
        nemesis.ask(change);
        if (!nemesis.awaitEnd(change)) {
            throw new IllegalStateException(change + " was not carried out");
        }
    }

    private static long last(Durations durations) {
        return durations.millis().get(durations.count() - 1);
    }

    private List<Figure> figures(
            Side left, Side right, Durations usual, int lost, String loadAverage) {
        Figures figures = new Figures(loadAverage);
        if (tellsSplits) {
            figures.held(
                    "N5",
                    "split, new half: longest gap between two acknowledged writes",
                    "p99 100 ms",
                    Percentiles.millis(right.splits()),
                    Percentiles.within(right.splits(), 99, SPLIT_MAX),
                    Percentiles.raw(right.splits()));
            fact(figures, "N5", "the same, half that stays", left.splits());
            fact(figures, "N5", "new half: longest gap between two reads", right.reads());
        }
        if (tellsMerges) {
            figures.held(
                    "N6",
                    "merge, absorbed half: longest gap between two acknowledged writes",
                    "p99 300 ms",
                    Percentiles.millis(right.merges()),
                    Percentiles.within(right.merges(), 99, MERGE_MAX),
                    Percentiles.raw(right.merges()));
            figures.held(
                    "N6",
                    "the same, half that absorbs",
                    "p99 300 ms",
                    Percentiles.millis(left.merges()),
                    Percentiles.within(left.merges(), 99, MERGE_MAX),
                    Percentiles.raw(left.merges()));
        }
        String id = tellsSplits ? "N5" : "N6";
        fact(figures, id, "longest gap of that load with nothing done to it", usual);
        figures.count(
                id,
                "calls answered with an error, not at all, or wrongly",
                left.wrong() + right.wrong());
        figures.count(
                id,
                "acknowledged writes lost, of "
                        + (left.writers().acknowledged() + right.writers().acknowledged()),
                lost);
        return figures.all();
    }

    private static void fact(Figures figures, String id, String what, Durations durations) {
        figures.fact(id, what, Percentiles.millis(durations), Percentiles.raw(durations));
    }
}
