package io.parterre.deploy.operator;

import java.time.Duration;
import picocli.CommandLine.Option;

/** Options whether a command waits for the operation that it has begun, and how long. */
final class WaitOptions {
    @Option(
            names = "--wait",
            description = {
                "Waits until it is done, and tells on the standard error how it goes. An end of the",
                "waiting ends nothing else."
            })
    private boolean wait;

    @Option(
            names = "--wait-max",
            paramLabel = "DURATION",
            description = "Waits at most so long, then exits with 9. Default: ${DEFAULT-VALUE}.",
            converter = DurationConverter.class,
            defaultValue = "1h")
    private Duration max;

    boolean isWanted() {
        return wait;
    }

    Duration max() {
        return max;
    }
}
