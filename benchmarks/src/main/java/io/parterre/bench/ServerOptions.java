package io.parterre.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options of the commands that start Parterre themselves. */
final class ServerOptions {
    @Option(
            names = "--parterre",
            paramLabel = "FILE",
            defaultValue = "${sys:benchmarks.parterre:-deploy/target/parterre/bin/parterre}",
            description = "bin/parterre of a distribution; default: this checkout's.")
    private Path launcher;

    @Option(
            names = "--java-options",
            paramLabel = "OPTIONS",
            defaultValue = "",
            description = "More options for the server's virtual machine, as a recording.")
    private String javaOptions;

    /**
     * The launcher.
     *
     * @throws IllegalArgumentException if it isn't there
     */
    Path launcher() {
        if (!Files.isExecutable(launcher)) {
            throw new IllegalArgumentException(
                    "parterre: no " + launcher + " (expected: built by ./parterre or ./mvnw)");
        }
        return launcher.toAbsolutePath();
    }

    String javaOptions() {
        return javaOptions;
    }
}
