package io.parterre.chaos.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * One setting that a test needs to differ from the default.
 *
 * @param key key with its sections, such as {@code manager.policy.deadAfter}
 */
public record SettingsLine(String key, String value) {
    private static final YAMLMapper YAML = new YAMLMapper();

    /** Adds settings to an existing settings file. */
    static void write(List<SettingsLine> lines, Path file) {
        try {
            JsonNode root = YAML.readTree(file.toFile());
            for (SettingsLine line : lines) {
                ObjectNode section = (ObjectNode) root;
                String[] path = line.key().split("\\.");
                for (int i = 0; i < path.length - 1; i++) {
                    section = section.withObjectProperty(path[i]);
                }
                section.put(path[path.length - 1], line.value());
            }
            YAML.writeValue(file.toFile(), root);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
