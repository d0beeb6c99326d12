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
 * What one embedded server is started with. Starting a second process with the same settings, after
 * the first has ended, is a restart: same data, same ports, same log file.
 *
 * @param distribution unpacked distribution, the folder that holds {@code bin/parterre}
 * @param folder holds the data, in {@code data}, and what the process prints, in {@code server.log}
 * @param tablePort loopback port of the table service
 * @param adminPort loopback port of readiness and metrics
 * @param jvmOptions more options for the virtual machine, which win over the distribution's own
 * @param fileBytesMax the system lets no file of the process grow beyond this: a write fails as on
 *     a full disk; empty: no limit
 * @param environment settings as variables, beside what the process inherits
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

    /**
     * A test's server lives for seconds. The second compiler would cost more than it gives back.
     */
    private static final String ONE_COMPILER = "-XX:TieredStopAtLevel=1";

    public ServerSettings {
        jvmOptions = List.copyOf(jvmOptions);
        environment = Map.copyOf(environment);
    }

    /**
     * Settings on free ports for the distribution that the build names in the system property
     * {@code parterre.distribution}.
     *
     * @param folder created when it does not exist
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

    /** The same server on a disk that takes no larger file. */
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

    /** The same server with these settings, as {@code PARTERRE_MANAGER_POLICY_QUOTAS_BURST}. */
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

    /** Path-style address of the development account. */
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
