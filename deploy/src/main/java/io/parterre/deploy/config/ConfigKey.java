package io.parterre.deploy.config;

import java.util.Locale;
import java.util.Optional;

/**
 * A key that can be set.
 *
 * @param path path in the file, names joined by dots
 * @param type type of the value
 * @param optional whether the value may be absent
 * @param defaultValue empty if absent by default
 */
record ConfigKey(
        String path,
        Class<?> type,
        ValueText text,
        boolean optional,
        Optional<Object> defaultValue) {
    /** Prefix of all our environment variables. */
    static final String ENVIRONMENT_PREFIX = "PARTERRE_";

    /** Returns the environment variable that sets the key. */
    String environmentName() {
        return ENVIRONMENT_PREFIX
                + path.replaceAll("([a-z0-9])([A-Z])", "$1_$2")
                        .replace('.', '_')
                        .toUpperCase(Locale.ROOT);
    }

    String print(Optional<Object> value) {
        return value.map(text::print).orElse("");
    }
}
