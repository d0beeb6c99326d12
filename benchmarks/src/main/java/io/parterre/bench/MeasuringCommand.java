package io.parterre.bench;

import io.parterre.bench.report.Machine;
import io.parterre.bench.report.Report;
import io.parterre.bench.subject.SyncRate;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that measures: prints each result as it is found, and keeps all of them as JSON. */
abstract class MeasuringCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private PlaceOptions place;

    /** Returns the title of the report. */
    abstract String title();

    abstract void measure(Report report) throws IOException, InterruptedException;

    @Override
    public final Integer call() throws IOException, InterruptedException {
        Report report = new Report(title(), Machine.thisOne(), out());
        measure(report);
        place.keep(report, spec.name());
        return 0;
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final void print(String line) {
        out().println(line);
        out().flush();
    }

    /** Returns the folder of the servers' data. */
    final Path folder() {
        return place.folder();
    }

    final void reportSyncRate(Report report) throws IOException {
        report.fact(
                "4 KiB made durable, one after the other",
                SyncRate.perSecond(folder(), Duration.ofSeconds(1)),
                "times/s");
    }
}
