package io.parterre.frontend.service;

import io.parterre.frontend.auth.BearerConfig;
import io.parterre.frontend.table.EntityLimits;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Limits and names of the table service. Defaults are those of the real one. Source: Table service
 * protocol reference, sections 4.7, 5.6, 7.1 and 11.
 *
 * @param hostSuffixes domains under which the first label of the host is the account, such as
 *     {@code table.example.com}; for any other host it is the first segment of the path
 * @param entityBodyBytesMax bytes of a request body that is no batch
 * @param batchBytesMax bytes of a batch's body
 * @param batchOperationsMax operations of a change set
 * @param pageEntitiesMax entities or tables of a page
 * @param queryIntervalsMax key intervals of a planned query; what needs more is read in wider ones
 * @param timeoutMax time a request may take at most, and takes unless it asks for less
 * @param bearer which bearer tokens are accepted; empty: none, and clients without credentials get
 *     no challenge
 */
public record TableServiceConfig(
        List<String> hostSuffixes,
        EntityLimits entityLimits,
        int entityBodyBytesMax,
        int batchBytesMax,
        int batchOperationsMax,
        int pageEntitiesMax,
        int queryIntervalsMax,
        Duration timeoutMax,
        Optional<BearerConfig> bearer) {
    public TableServiceConfig {
        hostSuffixes =
                hostSuffixes.stream()
                        .map(suffix -> suffix.startsWith(".") ? suffix.substring(1) : suffix)
                        .map(suffix -> suffix.toLowerCase(Locale.ROOT))
                        .toList();
        if (pageEntitiesMax < 1 || pageEntitiesMax > 1_000) {
            throw new IllegalArgumentException(
                    "pageEntitiesMax: " + pageEntitiesMax + " (expected: 1..1000)");
        }
        if (timeoutMax.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("timeoutMax: " + timeoutMax + " (expected: >= 1s)");
        }
    }

    /** The real service's limits, path-style addresses only. */
    public static TableServiceConfig defaults() {
        return new TableServiceConfig(
                List.of(),
                EntityLimits.OF_THE_SERVICE,
                4 << 20,
                4 << 20,
                100,
                1_000,
                1_000,
                Duration.ofSeconds(30),
                Optional.empty());
    }

    /** The same with other host suffixes. */
    public TableServiceConfig withHostSuffixes(List<String> suffixes) {
        return new TableServiceConfig(
                suffixes,
                entityLimits,
                entityBodyBytesMax,
                batchBytesMax,
                batchOperationsMax,
                pageEntitiesMax,
                queryIntervalsMax,
                timeoutMax,
                bearer);
    }
}
