package io.parterre.bench;

import io.parterre.bench.load.Measurement;
import io.parterre.bench.report.Report;
import io.parterre.bench.report.Row;
import io.parterre.bench.subject.Children;
import io.parterre.bench.subject.Postgres;
import io.parterre.bench.subject.Postgres.Question;
import io.parterre.bench.subject.Target;
import io.parterre.bench.subject.Targets;
import io.parterre.bench.work.Dataset;
import io.parterre.bench.work.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures Parterre and other systems on one machine in one run. All are started first, then each
 * row is measured on one after the other, so that other load of the machine affects them equally.
 */
@Command(
        name = "peers",
        description = {
            "The same rows for Parterre, the public emulator, PostgreSQL (where there is one) and",
            "a server that does nothing, with ratios."
        })
final class PeersCommand extends MeasuringCommand {
    @Mixin private RunOptions options;
    @Mixin private ServerOptions server;

    @Option(
            names = "--emulator",
            paramLabel = "FILE",
            defaultValue = "${sys:benchmarks.emulator:-}",
            description =
                    "The emulator's dist/src/table/main.js; default: installed by the script.")
    private Path emulator;

    @Option(names = "--entities", defaultValue = "10000", description = "Of the table read.")
    private long entities;

    @Option(
            names = "--rounds",
            defaultValue = "1",
            description = "Measure all rows so often and take each row's median.")
    private int rounds;

    @Option(
            names = "--without",
            split = ",",
            description = "Leave out: parterre, emulator, postgres, answers.")
    private List<String> without = List.of();

    /** A row: the workload of the servers, and that of PostgreSQL if it has an equivalent. */
    private record Line(Workload workload, int connections, Optional<Question> question) {
        Line(Workload workload, int connections, Question question) {
            this(workload, connections, Optional.of(question));
        }

        Line(Workload workload, int connections) {
            this(workload, connections, Optional.empty());
        }
    }

    private static final List<Line> LINES =
            List.of(
                    new Line(Workload.READ, 1, Question.SELECT),
                    new Line(Workload.READ, 16, Question.SELECT),
                    new Line(Workload.READ, 64, Question.SELECT),
                    new Line(Workload.PAGE, 1),
                    new Line(Workload.SCAN, 1),
                    new Line(Workload.INSERT, 1, Question.INSERT),
                    new Line(Workload.INSERT, 16, Question.INSERT),
                    new Line(Workload.INSERT, 64, Question.INSERT),
                    new Line(Workload.MERGE, 1, Question.UPSERT),
                    new Line(Workload.MERGE, 16, Question.UPSERT),
                    new Line(Workload.MERGE, 64, Question.UPSERT),
                    new Line(Workload.BATCH, 4));

    @Override
    String title() {
        return "Parterre and its peers";
    }

    @Override
    void measure(Report report) throws IOException, InterruptedException {
        reportSyncRate(report);
        try (Children children = new Children();
                Contenders contenders = start(children)) {
            List<Row> all = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                for (Line line : LINES) {
                    for (Row row : contenders.measure(line)) {
                        all.add(row);
                        if (rounds == 1) {
                            report.row(row);
                        }
                    }
                }
            }
            if (rounds > 1) {
                medians(all).forEach(report::row);
            }
        }
        report.printRatios(without.contains("parterre") ? "emulator" : "parterre");
    }

    /** Returns the median by rate of rows that measure the same, in the order of their first. */
    static List<Row> medians(List<Row> all) {
        List<Row> medians = new ArrayList<>();
        List<Row> rest = new ArrayList<>(all);
        while (!rest.isEmpty()) {
            Row first = rest.get(0);
            List<Row> same = new ArrayList<>(rest.stream().filter(first::repeats).toList());
            rest.removeIf(first::repeats);
            same.sort(Comparator.comparingDouble(Row::perSecond));
            medians.add(same.get(same.size() / 2));
        }
        return medians;
    }

    private Contenders start(Children children) throws IOException, InterruptedException {
        Targets targets = new Targets(children, folder());
        Contenders contenders = new Contenders();
        try {
            if (!without.contains("parterre")) {
                contenders.add(server.start(targets));
            }
            if (!without.contains("emulator") && Files.isRegularFile(emulator)) {
                contenders.add(targets.emulator(emulator));
            }
            for (TargetRun run : contenders.runs) {
                run.prepare(Duration.ofMinutes(10));
            }
            if (!without.contains("answers")) {
                contenders.answers = Optional.of(targets.answerServer());
            }
            Optional<Path> binaries = Postgres.find();
            if (!without.contains("postgres") && binaries.isPresent()) {
                contenders.postgres =
                        Optional.of(Postgres.start(children, folder(), binaries.get(), entities));
            }
            return contenders;
        } catch (IOException | InterruptedException | RuntimeException e) {
            contenders.close();
            throw e;
        }
    }

    /** The systems of this run, all running. */
    private final class Contenders implements AutoCloseable {
        private final List<TargetRun> runs = new ArrayList<>();
        private Optional<Target> answers = Optional.empty();
        private Optional<Postgres> postgres = Optional.empty();

        private void add(Target target) {
            runs.add(new TargetRun(target, new Dataset("dataset", entities)));
        }

        List<Row> measure(Line line) throws IOException, InterruptedException {
            List<Row> rows = new ArrayList<>();
            for (TargetRun run : runs) {
                rows.add(measure(run, line));
            }
            if (postgres.isPresent() && line.question().isPresent()) {
                rows.add(measure(postgres.get(), line, line.question().get()));
            }
            if (answers.isPresent() && answersKnow(line.workload())) {
                rows.add(measure(new TargetRun(answers.get(), new Dataset("any", 100)), line));
            }
            return rows;
        }

        private boolean answersKnow(Workload workload) {
            return workload == Workload.READ
                    || workload == Workload.INSERT
                    || workload == Workload.MERGE;
        }

        private Row measure(TargetRun run, Line line) throws IOException {
            return run.measure(
                    line.workload(), line.connections(), options.warmUp(), options.time());
        }

        private Row measure(Postgres system, Line line, Question question)
                throws IOException, InterruptedException {
            Measurement measured =
                    system.measure(question, line.connections(), options.warmUp(), options.time());
            return new Row(
                    "postgres",
                    line.workload().title(),
                    "operations",
                    line.connections(),
                    Double.NaN,
                    measured);
        }

        @Override
        public void close() throws IOException {
            for (TargetRun run : runs) {
                run.target().close();
            }
            if (answers.isPresent()) {
                answers.get().close();
            }
            if (postgres.isPresent()) {
                postgres.get().close();
            }
        }
    }
}
