package io.parterre.deploy;

import io.parterre.deploy.admin.AdminProbe;
import io.parterre.deploy.config.AdminSection;
import io.parterre.deploy.config.ConfigException;
import io.parterre.deploy.config.HostPort;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parterre health}: for supervisors that run a command and evaluate its exit code. */
@Command(
        name = "health",
        description = {
            "Asks the process on this machine's admin port whether it lives.",
            "Settings of the admin port come from where that process has them: the same file and",
            "environment."
        },
        footer = {
            "  parterre health                       exit code 0: the process lives",
            "  parterre health --ready               exit code 0: it serves",
            "  parterre health --ready --admin-port 10012"
        })
final class HealthCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ConfigOptions options;

    @Option(names = "--ready", description = "Asks whether it serves, or what it waits for.")
    private boolean ready;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "How long to wait for an answer. Default: ${DEFAULT-VALUE}.",
            defaultValue = "5")
    private int timeoutSeconds;

    @Override
    public Integer call() throws ConfigException {
        HostPort address = reachable(options.read().config().admin());
        Optional<AdminProbe> answer =
                AdminProbe.of(
                        address.toString(),
                        ready ? AdminProbe.READINESS : AdminProbe.LIVENESS,
                        Duration.ofSeconds(Math.max(1, timeoutSeconds)));
        spec.commandLine()
                .getOut()
                .println(
                        answer.map(each -> each.text().strip())
                                .orElseGet(() -> "no answer from http://" + address));
        return (answer.filter(AdminProbe::isOk).isPresent() ? ExitCode.OK : ExitCode.FAILED).code();
    }

    /** Returns an address at which this machine reaches a port that listens on all addresses. */
    static HostPort reachable(AdminSection admin) {
        String host =
                switch (admin.host()) {
                    case "0.0.0.0" -> "127.0.0.1";
                    case "::", "[::]", "0:0:0:0:0:0:0:0" -> "::1";
                    default -> admin.host();
                };
        return new HostPort(host, admin.port());
    }
}
