package io.parterre.deploy.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/**
 * Settings that the launcher derives from the memory limit of the process's cgroup, so that native
 * memory and heap fit into it together. Immutable.
 *
 * @param limit the limit as text for operators; empty if there is none
 * @param settings text by key
 */
public record LimitDefaults(String limit, Map<String, String> settings) {
    public static final LimitDefaults NONE = new LimitDefaults("", Map.of());

    private static final String LIMIT = "parterre.memoryLimit";
    private static final String PREFIX = "parterre.default.";

    public LimitDefaults {
        settings = Map.copyOf(settings);
    }

    /** Returns the launcher's settings, which it passes as properties of the virtual machine. */
    public static LimitDefaults of(Properties properties) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(PREFIX)) {
                settings.put(name.substring(PREFIX.length()), properties.getProperty(name));
            }
        }
        return new LimitDefaults(properties.getProperty(LIMIT, ""), settings);
    }
}
