package io.parterre.chaos.process;

import io.parterre.deploy.local.LoopbackPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
 */
public record ServerSettings(
        Path distribution, Path folder, int tablePort, int adminPort, List<String> jvmOptions) {
    private static final LoopbackPorts PORTS = new LoopbackPorts();

    /**
     * A test's server lives for seconds. The second compiler would cost more than it gives back.
     */
    private static final String ONE_COMPILER = "-XX:TieredStopAtLevel=1";

    public ServerSettings {
        jvmOptions = List.copyOf(jvmOptions);
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
                Stream.concat(Stream.of(ONE_COMPILER), Stream.of(jvmOptions)).toList());
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
        return List.of(
                distribution.resolve("bin/parterre").toString(),
                "embedded",
                "--data-dir",
                folder.resolve("data").toString(),
                "--table-port",
                Integer.toString(tablePort),
                "--admin-port",
                Integer.toString(adminPort));
    }
}
