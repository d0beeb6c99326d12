package io.parterre.deploy.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a YAML file sets: text by path. */
final class YamlSettings {
    private static final YAMLMapper MAPPER =
            YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    private YamlSettings() {}

    /**
     * Reads the file.
     *
     * @param problems takes what makes it unreadable
     */
    static Map<String, String> read(Path file, List<String> problems) {
        Map<String, String> settings = new LinkedHashMap<>();
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            problems.add(file + ": cannot be read: " + FileTrouble.reason(file, e));
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

    /** A list in the form that the environment gives it. */
    private static String list(String key, JsonNode list, List<String> problems) {
        List<String> names = new ArrayList<>();
        for (JsonNode element : list) {
            if (!element.isValueNode()) {
                return accounts(key, list, problems);
            }
            names.add(element.asText());
        }
        return String.join(",", names);
    }

    private static String accounts(String key, JsonNode list, List<String> problems) {
        List<String> accounts = new ArrayList<>();
        for (JsonNode account : list) {
            List<String> parts = new ArrayList<>();
            account.path("keys").forEach(secret -> parts.add(secret.asText()));
            String name = account.path("name").asText("");
            boolean extra =
                    account.properties().stream().anyMatch(field -> isNeither(field.getKey()));
            if (!account.isObject() || name.isEmpty() || parts.isEmpty() || extra) {
                problems.add(
                        key
                                + "["
                                + accounts.size()
                                + "]: '"
                                + name
                                + "' (expected: name, and keys as a list; nothing else)");
            } else {
                accounts.add(name + ":" + String.join(":", parts));
            }
        }
        return String.join(";", accounts);
    }

    private static boolean isNeither(String field) {
        return !field.equals("name") && !field.equals("keys");
    }
}
