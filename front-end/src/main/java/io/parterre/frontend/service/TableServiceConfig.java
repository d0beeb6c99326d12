package io.parterre.frontend.service;

import io.parterre.frontend.auth.BearerConfig;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Limits and names of the table service. Defaults are those of the real service. Source:
 * docs/protocol.md 11.
 *
 * @param hostSuffixes domains under which the first label of the host is the account, such as
 *     {@code table.example.com}; for any other host the account is the first segment of the path
 * @param timeoutMax longest time that a request may take, and the timeout of a request that does
 *     not ask for less
 * @param bearer which bearer tokens are accepted; if empty, none are and clients without
 *     credentials get no challenge
 */
public record TableServiceConfig(
        List<String> hostSuffixes,
        TableLimits limits,
        Duration timeoutMax,
        Optional<BearerConfig> bearer) {
    public TableServiceConfig {
        hostSuffixes =
                hostSuffixes.stream()
                        .map(suffix -> suffix.startsWith(".") ? suffix.substring(1) : suffix)
                        .map(suffix -> suffix.toLowerCase(Locale.ROOT))
                        .toList();
        if (timeoutMax.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("timeoutMax: " + timeoutMax + " (expected: >= 1s)");
        }
    }

    /** Returns the real service's limits, with path-style addresses only. */
    public static TableServiceConfig defaults() {
        return new TableServiceConfig(
                List.of(), TableLimits.OF_THE_SERVICE, Duration.ofSeconds(30), Optional.empty());
    }
}
