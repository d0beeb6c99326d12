package io.parterre.chaos.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The release that each process of a cluster runs: a launcher for all processes that selects the
 * release of a process at each of its starts. Confined to one thread.
 *
 * @param folder folder of the launcher, with a file for each process that runs another release than
 *     the first
 */
public record Releases(Path folder) {
    private static final long BUILD_MINUTES_MAX = 60;

    /**
     * Creates a launcher in a new folder.
     *
     * @param first distribution that every process runs until another one is set
     */
    public static Releases startingWith(Path folder, Path first) {
        Path launcher = folder.resolve("bin/parterre");
        String script =
                """
                #!/bin/sh
                # Called as: ROLE --config FOLDER/NAME/parterre.yaml
                name=$(basename "$(dirname "$3")")
                if [ -f "%1$s/$name" ]; then
                    release=$(cat "%1$s/$name")
                else
                    release=$(cat "%1$s/first")
                    # An operator adds settings that the first release refuses once it is gone.
                    sed -i '/^operatorToken:/d' "$3"
                fi
                exec "$release/bin/parterre" "$@"
                """
                        .formatted(folder);
        try {
            Files.createDirectories(launcher.getParent());
            Files.writeString(launcher, script);
            Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.writeString(folder.resolve("first"), first.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Releases(folder);
    }

    /** Sets the distribution that the process runs from its next start on. */
    public void runs(String name, Path distribution) {
        try {
            Files.writeString(folder.resolve(name), distribution.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the distribution that the build names. */
    public static Path built() {
        return ServerSettings.builtDistribution();
    }

    /**
     * Builds the release of a commit from the repository's history, unless it was built before.
     *
     * @param into folder of the build, kept for the next time
     * @return the release's distribution; empty if the history is not available
     */
    public static Optional<Path> ofCommit(String commit, Path into) {
        Path sources = into.resolve(commit).toAbsolutePath();
        Path distribution = sources.resolve("deploy/target/parterre");
        if (Files.isExecutable(distribution.resolve("bin/parterre"))) {
            return Optional.of(distribution);
        }
        try {
            if (!Files.exists(sources.resolve("pom.xml")) && !unpack(commit, sources)) {
                return Optional.empty();
            }
            Path log = into.resolve(commit + ".log").toAbsolutePath();
            List<String> build =
                    List.of("./mvnw", "-B", "-ntp", "-q", "-DskipTests", "package", "-pl");
            if (!run(sources, log, build, List.of("deploy", "-am", "-o"))
                    && !run(sources, log, build, List.of("deploy", "-am"))) {
                throw new IllegalStateException("release " + commit + " not built, see " + log);
            }
            return Optional.of(distribution);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean unpack(String commit, Path sources) throws IOException {
        Files.createDirectories(sources);
        Path archive = sources.resolveSibling(commit + ".tar");
        Path log = sources.resolveSibling(commit + ".log");
        Path here = Path.of("").toAbsolutePath();
        return run(
                        here,
                        log,
                        List.of("git", "-C", here.resolve("..").normalize().toString(), "archive"),
                        List.of("-o", archive.toString(), commit))
                && run(sources, log, List.of("tar", "-xf", archive.toString()), List.of());
    }

    /** Returns whether the command has succeeded. */
    private static boolean run(Path in, Path log, List<String> command, List<String> more)
            throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(Stream.concat(command.stream(), more.stream()).toList())
                        .directory(in.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        // Removes the variables of the build that runs this one.
        builder.environment().keySet().removeIf(name -> name.startsWith("MAVEN_"));
        try {
            Process process = builder.start();
            if (!process.waitFor(BUILD_MINUTES_MAX, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                return false;
            }
            return process.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Runs a command of a distribution that must end by itself; returns its exit code. */
    public static int exitCode(Path distribution, Path log, List<String> arguments) {
        try {
            Process process =
                    new ProcessBuilder(
                                    Stream.concat(
                                                    Stream.of(
                                                            distribution
                                                                    .resolve("bin/parterre")
                                                                    .toString()),
                                                    arguments.stream())
                                            .toList())
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
            if (!process.waitFor(2, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new IllegalStateException("has not ended: " + arguments);
            }
            return process.exitValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
