package io.parterre.bench;

import java.time.Duration;
import picocli.CommandLine.Option;

/** Options of the commands that measure rows. */
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

    Duration warmUp() {
        return Duration.ofSeconds(warmUpSeconds);
    }

    Duration time() {
        return Duration.ofSeconds(seconds);
    }
}
