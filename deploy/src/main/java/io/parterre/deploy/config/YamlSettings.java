package io.parterre.deploy.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Settings of a YAML file: text by path. */
final class YamlSettings {
    private static final YAMLMapper MAPPER =
            YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    private YamlSettings() {}

    /**
     * Reads the file.
     *
     * @param problems receives the reasons why it cannot be read
     */
    static Map<String, String> read(Path file, List<String> problems) {
        Map<String, String> settings = new LinkedHashMap<>();
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            problems.add(file + ": cannot be read: " + FileErrorText.reason(file, e));
            return settings;
        }
        try {
            JsonNode root = MAPPER.readTree(text);
            if (root != null && !root.isMissingNode() && !root.isNull()) {
                if (root.isObject()) {
                    flatten("", root, settings, problems);
                } else {
                    problems.add(file + ": not a mapping (expected: keys and values)");
                }
            }
        } catch (JsonProcessingException e) {
            problems.add(file + ": " + YamlTrouble.reason(text, e));
        }
        return settings;
    }

    private static void flatten(
            String path, JsonNode node, Map<String, String> settings, List<String> problems) {
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            String key = path + field.getKey();
            JsonNode value = field.getValue();
            if (value.isObject()) {
                flatten(key + ".", value, settings, problems);
            } else if (value.isArray()) {
                settings.put(key, list(key, value, problems));
            } else if (!value.isNull()) {
                settings.put(key, value.asText());
            }
        }
    }

    /** Returns a list in the form used in the environment. */
    private static String list(String key, JsonNode list, List<String> problems) {
        List<String> elements = new ArrayList<>();
        boolean records = false;
        for (JsonNode element : list) {
            records |= !element.isValueNode();
            Optional<String> text =
                    element.isValueNode() ? Optional.of(element.asText()) : record(element);
            if (text.isPresent()) {
                elements.add(text.get());
            } else {
                problems.add(
                        key
                                + "["
                                + elements.size()
                                + "]: '"
                                + element.path("name").asText(element.path("id").asText(""))
                                + "' (expected: "
                                + (element.has("id")
                                        ? "id, raft and service"
                                        : "name, and keys as a list")
                                + "; nothing else)");
                return "";
            }
        }
        return String.join(records ? ";" : ",", elements);
    }

    /** Returns an account or a manager, distinguished by their fields. */
    private static Optional<String> record(JsonNode element) {
        if (hasJust(element, "name", "keys") && element.path("keys").size() > 0) {
            List<String> parts = new ArrayList<>(List.of(element.path("name").asText()));
            element.path("keys").forEach(secret -> parts.add(secret.asText()));
            return Optional.of(String.join(":", parts));
        }
        return hasJust(element, "id", "raft", "service")
                ? Optional.of(
                        element.path("id").asText()
                                + "="
                                + element.path("raft").asText()
                                + "/"
                                + element.path("service").asText())
                : Optional.empty();
    }

    private static boolean hasJust(JsonNode element, String... fields) {
        return element.isObject()
                && element.size() == fields.length
                && Arrays.stream(fields).allMatch(field -> isGiven(element.path(field)));
    }

    private static boolean isGiven(JsonNode value) {
        return value.isArray() || !value.asText("").isEmpty();
    }
}
