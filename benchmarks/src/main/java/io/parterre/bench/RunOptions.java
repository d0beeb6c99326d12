package io.parterre.bench;

import io.parterre.bench.report.Machine;
import io.parterre.bench.report.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of every command that measures. */
final class RunOptions {
    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "3",
            description = "Before each row; default: ${DEFAULT-VALUE}.")
    private int warmUpSeconds;

    @Option(
            names = "--time",
            paramLabel = "SECONDS",
            defaultValue = "5",
            description = "Measured for each row; default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Mixin private PlaceOptions place;

    Duration warmUp() {
        return Duration.ofSeconds(warmUpSeconds);
    }

    Duration time() {
        return Duration.ofSeconds(seconds);
    }

    Path folder() {
        return place.folder();
    }

    Report open(String title, PrintWriter out) {
        return new Report(title, Machine.thisOne(), out);
    }

    void close(Report report) throws IOException {
        place.close(report);
    }
}
