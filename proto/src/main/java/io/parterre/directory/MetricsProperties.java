package io.parterre.directory;

import java.util.OptionalInt;

/**
 * Which request metrics an account wants. Kept and told, not acted upon.
 *
 * @param includeApis per operation too; false unless enabled
 * @param retentionDays how long metrics are kept; empty: for good
 */
public record MetricsProperties(boolean enabled, boolean includeApis, OptionalInt retentionDays) {
    public static final MetricsProperties OFF =
            new MetricsProperties(false, false, OptionalInt.empty());

    public MetricsProperties {
        includeApis &= enabled;
    }
}
