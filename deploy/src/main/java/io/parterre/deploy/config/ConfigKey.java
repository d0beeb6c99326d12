package io.parterre.deploy.config;

import java.util.Locale;
import java.util.Optional;

/**
 * One thing that can be set.
 *
 * @param path as it stands in the file, names joined by dots
 * @param type of the value
 * @param optional whether it may be absent altogether
 * @param defaultValue empty if absent by default
 */
record ConfigKey(
        String path,
        Class<?> type,
        ValueText text,
        boolean optional,
        Optional<Object> defaultValue) {
    /** Every variable of ours begins with it. */
    static final String ENVIRONMENT_PREFIX = "PARTERRE_";

    /** The variable that sets it. */
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
