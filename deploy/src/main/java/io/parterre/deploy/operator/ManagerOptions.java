package io.parterre.deploy.operator;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parterre.deploy.ExitCode;
import io.parterre.deploy.config.ConfigException;
import io.parterre.deploy.config.ConfigReader;
import io.parterre.deploy.config.EffectiveConfig;
import io.parterre.deploy.config.FlagSetting;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.config.ParterreConfig;
import io.parterre.deploy.config.SettingsFile;
import io.parterre.deploy.tls.ClusterTls;
import io.parterre.tls.CredentialsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options that select the managers to ask. */
final class ManagerOptions {
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
            description = {
                "YAML file with settings.",
                "Default: ./parterre.yaml or /etc/parterre/parterre.yaml, whichever is there."
            })
    private Path file;

    @Option(
            names = "--tls-certificate-chain",
            paramLabel = "FILE",
            description = {
                "PEM file of this operator's certificate, where the cluster has TLS; with the two",
                "below. Default: the tls section of the settings, or PARTERRE_TLS_CERTIFICATE_CHAIN",
                "and its kin."
            })
    private String certificateChain;

    @Option(names = "--tls-private-key", paramLabel = "FILE", description = "PEM file of its key.")
    private String privateKey;

    @Option(
            names = "--tls-trusted-certificates",
            paramLabel = "FILE",
            description = "PEM file of the issuers of the managers' and servers' certificates.")
    private String trustedCertificates;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "How long to try. Default: ${DEFAULT-VALUE}.",
            defaultValue = "15")
    private int timeoutSeconds;

    Duration timeout() {
        return Duration.ofSeconds(Math.max(1, timeoutSeconds));
    }

    /** Returns the settings of this machine, as a process would read them. */
    ParterreConfig settings(List<FlagSetting> more) throws ConfigException {
        return configuration(more).config();
    }

    private static void add(List<FlagSetting> flags, String flag, String key, String value) {
        if (value != null) {
            flags.add(new FlagSetting(flag, key, value));
        }
    }

    /**
     * Returns the operator's certificate, closed by the caller; empty for plain text.
     *
     * @throws OperatorException if its files cannot be used
     */
    Optional<ClusterTls> tls() throws ConfigException {
        try {
            // Any name is accepted, because the managers decide what it may do.
            return ClusterTls.open(settings(List.of()).tls(), List.of(), new SimpleMeterRegistry());
        } catch (CredentialsException e) {
            throw new OperatorException(ExitCode.USAGE, e.getMessage());
        }
    }

    List<HostPort> addresses() throws ConfigException {
        Optional<List<HostPort>> given = given();
        if (given.isPresent()) {
            return given.get();
        }
        List<HostPort> configured = settings(List.of()).cluster().managers().services();
        if (configured.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "no partition manager given (expected: --manager HOST:PORT, PARTERRE_MANAGER or"
                            + " cluster.managers of the settings file)");
        }
        return configured;
    }

    /**
     * Returns the managers' addresses, from settings already read; empty if there is no manager to
     * ask.
     */
    List<HostPort> addresses(ParterreConfig config) {
        return given().orElseGet(() -> config.cluster().managers().services());
    }

    private Optional<List<HostPort>> given() {
        if (managers == null || managers.isBlank()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Arrays.stream(managers.split(",")).map(HostPort::parse).toList());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--manager: " + e.getMessage(), e);
        }
    }

    /**
     * Returns all settings, and where each comes from.
     *
     * @param more flags of the command, besides those of certificates
     */
    EffectiveConfig configuration(List<FlagSetting> more) throws ConfigException {
        List<FlagSetting> flags = new ArrayList<>(more);
        add(flags, "--tls-certificate-chain", "tls.certificateChain", certificateChain);
        add(flags, "--tls-private-key", "tls.privateKey", privateKey);
        add(flags, "--tls-trusted-certificates", "tls.trustedCertificates", trustedCertificates);
        return ConfigReader.read(SettingsFile.find(file), System.getenv(), flags);
    }
}
