package io.parterre.deploy.operator;

import io.parterre.deploy.config.ConfigException;
import io.parterre.deploy.config.ConfigReader;
import io.parterre.deploy.config.FlagSetting;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.config.ManagerAddresses;
import io.parterre.deploy.config.ParterreConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Whom to ask. */
final class ManagerOptions {
    private static final Path DEFAULT_FILE = Path.of("parterre.yaml");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--manager",
            paramLabel = "HOST:PORT",
            description = {
                "Service addresses of partition managers, one or more, separated by commas.",
                "Default: PARTERRE_MANAGER, then cluster.managers of the configuration."
            },
            defaultValue = "${env:PARTERRE_MANAGER}")
    private String managers;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "YAML file with settings. Default: ./parterre.yaml, if there is one.")
    private Path file;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "How long to try. Default: ${DEFAULT-VALUE}.",
            defaultValue = "15")
    private int timeoutSeconds;

    Duration timeout() {
        return Duration.ofSeconds(Math.max(1, timeoutSeconds));
    }

    /** The settings of this machine, as a process would read them. */
    ParterreConfig settings(List<FlagSetting> flags) throws ConfigException {
        Optional<Path> found =
                Optional.ofNullable(file).or(() -> Optional.of(DEFAULT_FILE).filter(Files::exists));
        return ConfigReader.read(found, System.getenv(), flags).config();
    }

    List<HostPort> addresses() throws ConfigException {
        if (managers != null && !managers.isBlank()) {
            try {
                return Arrays.stream(managers.split(",")).map(HostPort::parse).toList();
            } catch (IllegalArgumentException e) {
                throw new ParameterException(spec.commandLine(), "--manager: " + e.getMessage(), e);
            }
        }
        List<HostPort> configured =
                settings(List.of()).cluster().managers().managers().stream()
                        .map(ManagerAddresses::service)
                        .toList();
        if (configured.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "no partition manager given (expected: --manager HOST:PORT, PARTERRE_MANAGER or"
                            + " cluster.managers of the settings file)");
        }
        return configured;
    }
}
