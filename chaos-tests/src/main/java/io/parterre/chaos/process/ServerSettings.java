package io.parterre.chaos.process;

import io.parterre.deploy.local.LoopbackPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Settings of one embedded server. A second process started with the same settings, after the first
 * has ended, is a restart: same data, same ports, same log file.
 *
 * @param distribution unpacked distribution, the folder with {@code bin/parterre}
 * @param folder contains the data, in {@code data}, and the process's output, in {@code server.log}
 * @param tablePort loopback port of the table service
 * @param adminPort loopback port of readiness and metrics
 * @param jvmOptions more options for the virtual machine, which win over the distribution's own
 * @param fileBytesMax size beyond which the system lets no file of the process grow: a write fails
 *     as on a full disk; empty: no limit
 * @param environment settings as variables, besides those that the process inherits
 */
public record ServerSettings(
        Path distribution,
        Path folder,
        int tablePort,
        int adminPort,
        List<String> jvmOptions,
        OptionalLong fileBytesMax,
        Map<String, String> environment) {
    private static final LoopbackPorts PORTS = new LoopbackPorts();

    /** A test's server lives for seconds, in which the second compiler costs more than it gains. */
    private static final String ONE_COMPILER = "-XX:TieredStopAtLevel=1";

    public ServerSettings {
        jvmOptions = List.copyOf(jvmOptions);
        environment = Map.copyOf(environment);
    }

    /**
     * Returns settings on free ports for the distribution that the build names in the system
     * property {@code parterre.distribution}.
     *
     * @param folder created if it does not exist
     */
    public static ServerSettings in(Path folder, String... jvmOptions) {
        Path distribution = builtDistribution();
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ServerSettings(
                distribution,
                folder.toAbsolutePath(),
                PORTS.next(),
                PORTS.next(),
                Stream.concat(Stream.of(ONE_COMPILER), Stream.of(jvmOptions)).toList(),
                OptionalLong.empty(),
                Map.of());
    }

    /** Returns the settings of the same server on a disk that accepts no larger file. */
    public ServerSettings withFileBytesMax(long value) {
        return new ServerSettings(
                distribution,
                folder,
                tablePort,
                adminPort,
                jvmOptions,
                OptionalLong.of(value),
                environment);
    }

    /**
     * Returns the settings of the same server with these variables, such as {@code
     * PARTERRE_MANAGER_POLICY_QUOTAS_BURST}.
     */
    public ServerSettings withEnvironment(Map<String, String> value) {
        return new ServerSettings(
                distribution, folder, tablePort, adminPort, jvmOptions, fileBytesMax, value);
    }

    static Path builtDistribution() {
        String distribution = System.getProperty("parterre.distribution");
        if (distribution == null) {
            throw new IllegalStateException(
                    "parterre.distribution: not set (expected: a folder with bin/parterre)");
        }
        return Path.of(distribution).toAbsolutePath().normalize();
    }

    /** Returns the path-style address of the development account. */
    public URI tableEndpoint() {
        return URI.create("http://127.0.0.1:" + tablePort + "/devstoreaccount1");
    }

    Path log() {
        return folder.resolve("server.log");
    }

    URI readiness() {
        return URI.create("http://127.0.0.1:" + adminPort + "/readyz");
    }

    List<String> command() {
        return Stream.concat(
                        limit(),
                        Stream.of(
                                distribution.resolve("bin/parterre").toString(),
                                "embedded",
                                "--data-dir",
                                folder.resolve("data").toString(),
                                "--table-port",
                                Integer.toString(tablePort),
                                "--admin-port",
                                Integer.toString(adminPort)))
                .toList();
    }

    private Stream<String> limit() {
        return fileBytesMax.isEmpty()
                ? Stream.empty()
                : Stream.of("prlimit", "--fsize=" + fileBytesMax.getAsLong());
    }
}
