package io.parterre.bench.patterns;

import io.parterre.bench.hotspot.Layout;
import io.parterre.bench.hotspot.RunClock;
import io.parterre.bench.hotspot.Step;
import io.parterre.bench.load.Endpoint;
import io.parterre.bench.load.Measurement;
import io.parterre.bench.report.Contrast;
import io.parterre.bench.work.Appends;
import io.parterre.bench.work.CreateTable;
import io.parterre.bench.work.Deletes;
import io.parterre.bench.work.RowNumbers;
import io.parterre.chaos.process.Operator;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * The prepend/append anti-pattern: entities in the order of time, with the time as their
 * PartitionKey, and with a bucket before the time. Confined to one thread.
 *
 * @param operator operator of the measured cluster; empty: ranges are not reported
 * @param table created, and deleted in the end
 * @param settle time for which each design is loaded first, so that ranges may split and change
 *     their leaders
 * @param rounds how often each design is measured, in turns, because other load of the machine
 *     varies
 * @param time duration of a round
 */
public record AppendPattern(
        Endpoint endpoint,
        Optional<Operator> operator,
        String table,
        int connections,
        Duration settle,
        int rounds,
        Duration time) {
    private static final String SUBJECT = "append";
    private static final int PARTITIONS = 100_000_000;

    /**
     * One design: what it has written, which ranges and servers received it, and the measurements.
     */
    private static final class Course {
        private final Appends design;
        private final RowNumbers fresh = RowNumbers.from(0);
        private final List<Measurement> measured = new ArrayList<>();
        private final Set<Long> ranges = new TreeSet<>();
        private final Set<String> servers = new TreeSet<>();
        private long splits;
        private long settlingErrors;

        Course(Appends design) {
            this.design = design;
        }

        /** Discards the figures of the time until ranges had settled; only its errors count. */
        void forgetFigures() {
            settlingErrors = errors();
            measured.clear();
        }

        double perSecond() {
            return median(Measurement::entitiesPerSecond);
        }

        double p99Millis() {
            return median(each -> each.latency().p99() / 1e3);
        }

        private double median(ToDoubleFunction<Measurement> figure) {
            return measured.stream()
                    .mapToDouble(figure)
                    .sorted()
                    .skip(measured.size() / 2)
                    .findFirst()
                    .orElse(Double.NaN);
        }

        String latency() {
            return String.format(
                    Locale.ROOT,
                    "%.1f, %.1f",
                    median(each -> each.latency().p50() / 1e3),
                    p99Millis());
        }

        String places() {
            return ranges.size() + "; " + servers.size();
        }

        long errors() {
            return settlingErrors + measured.stream().mapToLong(Measurement::errorCount).sum();
        }
    }

    /** Measures both designs. */
    public List<Contrast> run(Consumer<String> progress) throws IOException {
        Calls calls = new Calls(endpoint);
        calls.all(1, CreateTable.fresh(table));
        Course before = new Course(Appends.TIME_ORDERED);
        Course after = new Course(Appends.BUCKETED);
        for (Course course : List.of(before, after)) {
            RunClock clock = RunClock.startNow();
            measure(calls, course, settle, progress);
            course.forgetFigures();
            if (operator.isPresent()) {
                look(operator.get(), course, clock, progress);
            }
        }
        for (int round = 0; round < rounds; round++) {
            measure(calls, before, time, progress);
            measure(calls, after, time, progress);
        }
        calls.all(1, Deletes.withTable(table));
        return contrasts(before, after);
    }

    private void measure(Calls calls, Course course, Duration lasting, Consumer<String> progress)
            throws IOException {
        Measurement found =
                calls.during(lasting, connections, course.design.inserts(table, course.fresh));
        course.measured.add(found);
        progress.accept(
                String.format(
                        Locale.ROOT,
                        "append, %s: %.0f entities/s, p99 %.1f ms, errors %s",
                        course.design,
                        found.entitiesPerSecond(),
                        found.latency().p99() / 1e3,
                        found.firstErrors()));
    }

    /**
     * Records which ranges and servers received the latest entities, and prints the managers'
     * journal with its splits.
     */
    private static void look(
            Operator operator, Course course, RunClock clock, Consumer<String> progress) {
        Layout layout = Layout.of(operator.ask("ranges"), PARTITIONS);
        long latest = course.fresh.reserve(0);
        for (long partition : course.design.writtenAt(latest).toArray()) {
            course.ranges.add(layout.rangeOf((int) partition));
            course.servers.add(layout.leaderOf((int) partition));
        }
        progress.accept("  " + layout.words());
        List<Step> steps =
                Step.of(operator.ask("journal", "--limit", "200"), clock).stream()
                        .filter(step -> step.millis() >= 0)
                        .toList();
        steps.forEach(step -> progress.accept("  " + step.line()));
        course.splits = steps.stream().filter(step -> step.isDone("SPLIT")).count();
    }

    private List<Contrast> contrasts(Course before, Course after) {
        List<Contrast> all = new ArrayList<>();
        all.add(
                Contrast.of(
                        SUBJECT,
                        "new entities a second, %d callers".formatted(connections),
                        before.perSecond(),
                        after.perSecond()));
        all.add(
                new Contrast(
                        SUBJECT,
                        "p50, p99 of an insert, ms",
                        before.latency(),
                        after.latency(),
                        Map.of(
                                "beforeP99", before.p99Millis(),
                                "afterP99", after.p99Millis())));
        if (operator.isPresent()) {
            all.add(
                    new Contrast(
                            SUBJECT,
                            "ranges that take them; servers that lead these",
                            before.places(),
                            after.places(),
                            Map.of(
                                    "beforeRanges", before.ranges.size(),
                                    "beforeServers", before.servers.size(),
                                    "afterRanges", after.ranges.size(),
                                    "afterServers", after.servers.size())));
            all.add(Contrast.ofCounts(SUBJECT, "splits meanwhile", before.splits, after.splits));
        }
        all.add(Contrast.ofCounts(SUBJECT, "errors", before.errors(), after.errors()));
        return all;
    }
}
