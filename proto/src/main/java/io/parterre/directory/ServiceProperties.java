package io.parterre.directory;

import java.util.List;
import java.util.Optional;

/**
 * Settings of one service of an account, as its owner gave them. Source: docs/protocol.md 3.11.
 *
 * @param cors rules in the order in which they are tried
 */
public record ServiceProperties(
        LoggingProperties logging,
        MetricsProperties hourMetrics,
        MetricsProperties minuteMetrics,
        List<CorsRule> cors) {
    /** Settings of an account that never set any. */
    public static final ServiceProperties DEFAULT =
            new ServiceProperties(
                    LoggingProperties.OFF, MetricsProperties.OFF, MetricsProperties.OFF, List.of());

    public ServiceProperties {
        cors = List.copyOf(cors);
    }

    /**
     * New settings, part by part; an empty part keeps the current value.
     *
     * @param cors all rules; an empty list removes them
     */
    public record Change(
            Optional<LoggingProperties> logging,
            Optional<MetricsProperties> hourMetrics,
            Optional<MetricsProperties> minuteMetrics,
            Optional<List<CorsRule>> cors) {
        public Change {
            cors = cors.map(List::copyOf);
        }

        /** Returns a change of every part. */
        public static Change to(ServiceProperties all) {
            return new Change(
                    Optional.of(all.logging),
                    Optional.of(all.hourMetrics),
                    Optional.of(all.minuteMetrics),
                    Optional.of(all.cors));
        }
    }

    /** Returns the settings after a change. */
    public ServiceProperties with(Change change) {
        return new ServiceProperties(
                change.logging().orElse(logging),
                change.hourMetrics().orElse(hourMetrics),
                change.minuteMetrics().orElse(minuteMetrics),
                change.cors().orElse(cors));
    }
}
