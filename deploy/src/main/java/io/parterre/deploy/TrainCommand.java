package io.parterre.deploy;

import io.parterre.deploy.config.ConfigException;
import io.parterre.deploy.node.StartException;
import io.parterre.deploy.operator.DurationConverter;
import io.parterre.deploy.train.Training;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code parterre train}: runs the load from which the archive for faster starts is made. */
@Command(
        name = "train",
        description = {
            "Makes later starts on this Java faster. Runs all roles under load in this process, on",
            "loopback and in a temporary folder, and keeps what Java has loaded then in lib/; from",
            "Java 25 on also what it has learned of the methods that ran. Run it again after a",
            "change of Java or of the distribution, as a user who may write to lib/."
        },
        footer = {"  parterre train", "  parterre train --for 60s"})
final class TrainCommand implements Callable<Integer> {
    /** From this release on Java keeps profiles of methods, which take longer to record. */
    private static final int KEEPS_PROFILES = 25;

    private static final Duration TO_LOAD = Duration.ofSeconds(6);
    private static final Duration TO_LEARN = Duration.ofSeconds(30);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    @Spec private CommandSpec spec;

    @Option(
            names = "--for",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "Length of the load. Default: 30s on Java 25 and newer, else 6s.")
    private Duration length = Runtime.version().feature() >= KEEPS_PROFILES ? TO_LEARN : TO_LOAD;

    @Override
    public Integer call()
            throws IOException, InterruptedException, ConfigException, StartException {
        if (length.isNegative() || length.compareTo(LONGEST) > 0) {
            throw new ParameterException(
                    spec.commandLine(), "--for: " + length + " (expected: 0s to 10m)");
        }
        ProcessLifetime.watchThreads();
        long calls =
                new Training(BuildVersion.read(), Clock.systemUTC(), ProcessLifetime::fail)
                        .run(length);
        spec.commandLine().getOut().println("parterre train: " + calls + " calls answered");
        spec.commandLine().getOut().flush();
        return ExitCode.OK.code();
    }
}
