package io.parterre.directory;

import java.util.OptionalInt;

/**
 * Request metrics that an account wants. Stored and returned, without effect.
 *
 * @param includeApis whether metrics are wanted for each operation too; false unless enabled
 * @param retentionDays how long metrics are kept; empty: for good
 */
public record MetricsProperties(boolean enabled, boolean includeApis, OptionalInt retentionDays) {
    public static final MetricsProperties OFF =
            new MetricsProperties(false, false, OptionalInt.empty());

    public MetricsProperties {
        includeApis &= enabled;
    }
}
