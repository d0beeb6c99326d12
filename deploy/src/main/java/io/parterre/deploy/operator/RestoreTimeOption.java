package io.parterre.deploy.operator;

import io.parterre.deploy.ExitCode;
import io.parterre.entity.Ticks;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Option;

/** Option for a time to restore to from an archive. */
final class RestoreTimeOption {
    @Option(
            names = "--to",
            paramLabel = "TIME",
            description = {
                "Time as 2026-01-01T12:30:00Z: everything as it was then, from the newest backup"
                        + " before",
                "and the archive. Default: what the backup holds."
            })
    private Optional<String> time = Optional.empty();

    OptionalLong ticks() {
        if (time.isEmpty()) {
            return OptionalLong.empty();
        }
        OptionalLong ticks = Ticks.parse(time.get());
        if (ticks.isEmpty() || ticks.getAsLong() <= Ticks.MIN || ticks.getAsLong() > Ticks.MAX) {
            throw new OperatorException(
                    ExitCode.USAGE,
                    "--to: '" + time.get() + "' (expected: a time as 2026-01-01T12:30:00Z)");
        }
        return ticks;
    }
}
