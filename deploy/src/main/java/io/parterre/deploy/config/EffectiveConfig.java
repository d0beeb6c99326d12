package io.parterre.deploy.config;

import java.util.List;

/**
 * A checked configuration and where each value came from.
 *
 * @param warnings what was set and means nothing to us, but may to others
 */
public record EffectiveConfig(ParterreConfig config, List<Entry> entries, List<String> warnings) {
    public EffectiveConfig {
        entries = List.copyOf(entries);
        warnings = List.copyOf(warnings);
    }

    /**
     * One value, fit to be shown: secrets are hidden.
     *
     * @param source as a phrase
     */
    public record Entry(String key, String value, String source) {}
}
