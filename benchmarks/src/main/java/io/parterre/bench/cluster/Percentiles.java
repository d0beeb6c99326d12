package io.parterre.bench.cluster;

import io.parterre.chaos.workload.Durations;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** Formats durations. Stateless. */
final class Percentiles {
    private Percentiles() {}

    /** Formats as "p50 1.12 s, p99 1.50 s, max 1.60 s (30)". */
    static String seconds(Durations durations) {
        return String.format(
                Locale.ROOT,
                "p50 %.2f s, p99 %.2f s, max %.2f s (%d)",
                durations.percentile(50).toMillis() / 1e3,
                durations.percentile(99).toMillis() / 1e3,
                durations.percentile(100).toMillis() / 1e3,
                durations.count());
    }

    /** Formats as "p50 71 ms, p99 190 ms, max 346 ms (30)". */
    static String millis(Durations durations) {
        return String.format(
                Locale.ROOT,
                "p50 %d ms, p99 %d ms, max %d ms (%d)",
                durations.percentile(50).toMillis(),
                durations.percentile(99).toMillis(),
                durations.percentile(100).toMillis(),
                durations.count());
    }

    /** Returns all durations, for programs. */
    static Map<String, Object> raw(Durations durations) {
        return Map.of("millis", durations.millis());
    }

    static boolean within(Durations durations, int percent, Duration bar) {
        return durations.percentile(percent).compareTo(bar) <= 0;
    }
}
