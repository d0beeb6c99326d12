package io.parterre.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Option for the Parterre distribution to start. */
final class LauncherOptions {
    @Option(
            names = "--parterre",
            paramLabel = "FILE",
            defaultValue = "${sys:benchmarks.parterre:-deploy/target/parterre/bin/parterre}",
            description = "bin/parterre of a distribution; default: this checkout's.")
    private Path launcher;

    Path launcher() {
        if (!Files.isExecutable(launcher)) {
            throw new IllegalArgumentException(
                    "parterre: no " + launcher + " (expected: built by ./parterre or ./mvnw)");
        }
        return launcher.toAbsolutePath();
    }
}
