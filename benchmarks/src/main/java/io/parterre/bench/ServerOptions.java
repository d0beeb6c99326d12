package io.parterre.bench;

import io.parterre.bench.subject.Target;
import io.parterre.bench.subject.Targets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of the commands that start Parterre themselves. */
final class ServerOptions {
    @Mixin private LauncherOptions parterre;

    @Option(
            names = "--java-options",
            paramLabel = "OPTIONS",
            defaultValue = "",
            description = "More options for the server's virtual machine, as a recording.")
    private String javaOptions;

    @Option(
            names = "--java-home",
            paramLabel = "DIR",
            description = "Java that the server runs on; default: JAVA_HOME, or java on PATH.")
    private Optional<Path> javaHome = Optional.empty();

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "A setting of the server, as it takes them; may be repeated.")
    private List<String> settings = List.of();

    /** Starts a server with these options. */
    Target start(Targets targets) throws IOException, InterruptedException {
        return targets.parterre(parterre.launcher(), environment(javaOptions), settings);
    }

    /** Starts a server under a name, with additional settings. */
    Target start(Targets targets, String name, List<String> further)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(settings);
        all.addAll(further);
        return targets.parterre(name, parterre.launcher(), environment(javaOptions), all);
    }

    /**
     * Starts a server without the additional options of the virtual machine, which slow down its
     * start.
     */
    Target startPlainly(Targets targets) throws IOException, InterruptedException {
        return targets.parterre(parterre.launcher(), environment(""), settings);
    }

    /** Returns the feature release of the Java that the server runs on. */
    int javaRelease() throws IOException {
        if (javaHome.isEmpty()) {
            return Runtime.version().feature(); // the launcher looks where benchmarks/run does
        }
        return Files.readAllLines(javaHome.get().resolve("release")).stream()
                .filter(line -> line.startsWith("JAVA_VERSION="))
                .map(line -> line.replaceAll("[^0-9.]", "").split("\\.", 2)[0])
                .mapToInt(Integer::parseInt)
                .findFirst()
                .orElseThrow(() -> new IOException("no JAVA_VERSION in " + javaHome.get()));
    }

    private Map<String, String> environment(String options) {
        Map<String, String> environment = new HashMap<>();
        if (!options.isEmpty()) {
            environment.put("PARTERRE_JAVA_OPTS", options);
        }
        javaHome.ifPresent(home -> environment.put("JAVA_HOME", home.toString()));
        return environment;
    }
}
