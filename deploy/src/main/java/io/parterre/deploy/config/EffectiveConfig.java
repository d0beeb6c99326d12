package io.parterre.deploy.config;

import java.util.List;

/**
 * A checked configuration and the source of each value.
 *
 * @param warnings settings that are unknown to us but may have a meaning elsewhere
 */
public record EffectiveConfig(ParterreConfig config, List<Entry> entries, List<String> warnings) {
    public EffectiveConfig {
        entries = List.copyOf(entries);
        warnings = List.copyOf(warnings);
    }

    /**
     * One value in printable form: secrets are hidden.
     *
     * @param source source of the value, as a phrase
     */
    public record Entry(String key, String value, String source) {}
}
