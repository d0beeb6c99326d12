package io.parterre.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.parterre.server.metrics.PartitionServerMetrics.Damage;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** Meters of the search for damaged files and for replicas that differ. Safe for any thread. */
final class DamageMeters {
    private final Map<Damage, Counter> damages = new EnumMap<>(Damage.class);
    private final Counter scrubbed;
    private final Map<Comparison, Counter> comparisons = new EnumMap<>(Comparison.class);
    private final Counter compared;
    private final Timer compare;

    DamageMeters(MeterRegistry meters) {
        for (Damage damage : Damage.values()) {
            damages.put(
                    damage,
                    Counter.builder("partition_server_damaged_files_total")
                            .description("Files that read differently than they were written")
                            .tag("kind", PartitionServerMetrics.label(damage))
                            .register(meters));
        }
        scrubbed =
                Counter.builder("partition_server_scrubbed_bytes_total")
                        .description("Bytes of rows and logs read to look for damage")
                        .register(meters);
        for (Comparison result : Comparison.values()) {
            comparisons.put(
                    result,
                    Counter.builder("partition_server_replica_comparisons_total")
                            .description("Comparisons of the members of ranges led here")
                            .tag("outcome", PartitionServerMetrics.label(result))
                            .register(meters));
        }
        compared =
                Counter.builder("partition_server_compared_bytes_total")
                        .description("Bytes of rows read to compare replicas")
                        .register(meters);
        compare =
                Timer.builder("partition_server_compare_seconds")
                        .description("Time that rows of one moment were kept to be compared")
                        .register(meters);
    }

    void found(Damage damage) {
        damages.get(damage).increment();
    }

    void scrubbed(long bytes) {
        scrubbed.increment(bytes);
    }

    void compared(Comparison result) {
        comparisons.get(result).increment();
    }

    void comparedRows(long bytes, Duration took) {
        compared.increment(bytes);
        compare.record(took);
    }
}
