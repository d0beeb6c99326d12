package io.parterre.simulator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads scenarios from YAML; each key is that of {@link Scenario}. Stateless. */
public final class ScenarioFile {
    /** Scenarios that are part of the product, small ones first. */
    public static final List<String> NAMES =
            List.of(
                    "zipf-hot-spots",
                    "appends",
                    "new-node",
                    "lost-zone",
                    "day-and-night",
                    "steady",
                    "copysets",
                    "large",
                    "planners");

    private static final YAMLMapper YAML =
            YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    private ScenarioFile() {}

    /**
     * Reads a scenario of the product, or a file.
     *
     * @throws IOException if it cannot be read or is no scenario; the message says why
     */
    public static Scenario read(String nameOrFile) throws IOException {
        return parse(
                nameOrFile,
                NAMES.contains(nameOrFile)
                        ? named(nameOrFile)
                        : Files.readString(Path.of(nameOrFile)));
    }

    private static String named(String name) throws IOException {
        try (InputStream in =
                ScenarioFile.class.getResourceAsStream("/scenarios/" + name + ".yaml")) {
            if (in == null) {
                throw new IOException(name + ": missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    static Scenario parse(String source, String text) throws IOException {
        try {
            return YAML.readValue(text, Scenario.class);
        } catch (JsonProcessingException e) {
            // For invalid YAML the parser reports the line. For invalid values it reports where it
            // noticed them, which is not where they are.
            throw new IOException(source + ": " + e.getOriginalMessage(), e);
        }
    }
}
