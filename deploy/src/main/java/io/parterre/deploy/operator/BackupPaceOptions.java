package io.parterre.deploy.operator;

import io.parterre.deploy.ExitCode;
import io.parterre.deploy.backup.BackupOptions;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Options for the speed of a backup or a restore. */
final class BackupPaceOptions {
    @Option(
            names = "--parallel",
            paramLabel = "N",
            defaultValue = "4",
            description = "Parts that are read or written side by side, 1 to 256. Default: 4.")
    private int parallel;

    @Option(
            names = "--bytes-per-second",
            paramLabel = "N",
            defaultValue = "0",
            description = {
                "Bytes of rows a second, all parts together. Default: 0, as many as the servers",
                "allow (server.copy.bytesPerSecondMax each)."
            })
    private long bytesPerSecond;

    @Option(
            names = "--patience",
            paramLabel = "DURATION",
            defaultValue = "5m",
            converter = DurationConverter.class,
            description = {
                "How long a range may send nothing or be without a leader; twelve times as long if",
                "its server says that it is busy. Default: 5m."
            })
    private Duration patience;

    BackupOptions options() {
        try {
            return new BackupOptions(parallel, bytesPerSecond, patience);
        } catch (IllegalArgumentException e) {
            throw new OperatorException(ExitCode.USAGE, e.getMessage());
        }
    }
}
