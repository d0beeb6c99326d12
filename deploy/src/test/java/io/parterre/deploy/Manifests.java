package io.parterre.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The plain manifests, one file for each file of values. */
final class Manifests {
    static final Path FOLDER = Path.of("kubernetes/manifests");

    private Manifests() {}

    static Stream<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().toList().stream();
        }
    }

    static KubernetesObjects read(Path file) throws IOException {
        return KubernetesObjects.parse(Files.readString(file));
    }

    /** Name of the first container, and of the settings file that its process reads. */
    static String role(JsonNode workload) {
        return KubernetesObjects.containers(workload).get(0).path("name").asText();
    }
}
