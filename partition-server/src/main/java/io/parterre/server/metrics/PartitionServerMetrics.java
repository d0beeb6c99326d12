package io.parterre.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

/** Metrics of the role. Labels come from closed sets, so their number does not grow with data. */
public final class PartitionServerMetrics {
    /** How a request ended. */
    public enum Answer {
        ROW("row"),
        SCAN_PAGE("scan_page"),
        WRITTEN("written"),
        REJECTED("rejected"),
        SCOPE_FENCED("scope_fenced"),
        NOT_LEADER("not_leader"),
        STALE_RANGE("stale_range"),
        BUSY("busy"),
        IN_DOUBT("in_doubt"),
        NO_DATA("no_data"),
        FAILED("failed");

        private final String label;

        Answer(String label) {
            this.label = label;
        }
    }

    /** What was damaged. */
    public enum Damage {
        ROWS("rows"),
        LOG("log");

        private final String label;

        Damage(String label) {
            this.label = label;
        }
    }

    private final Map<Damage, Counter> damages = new EnumMap<>(Damage.class);
    private final Counter scrubbed;
    private final Map<Answer, Counter> answers = new EnumMap<>(Answer.class);
    private final Timer apply;
    private final DistributionSummary commandsPerEntry;
    private final DistributionSummary scanExaminedRows;
    private final DistributionSummary scanRows;
    private final Timer flush;
    private final MeterRegistry meters;

    public PartitionServerMetrics(MeterRegistry meters) {
        this.meters = meters;
        for (Answer answer : Answer.values()) {
            answers.put(
                    answer,
                    Counter.builder("partition_server_requests")
                            .description("Requests answered, by kind of answer")
                            .tag("answer", answer.label)
                            .register(meters));
        }
        for (Damage damage : Damage.values()) {
            damages.put(
                    damage,
                    Counter.builder("partition_server_damage_found")
                            .description("Files that read differently than they were written")
                            .tag("what", damage.label)
                            .register(meters));
        }
        scrubbed =
                Counter.builder("partition_server_scrubbed_bytes")
                        .description("Bytes of rows and logs read to look for damage")
                        .register(meters);
        apply =
                Timer.builder("partition_server_apply")
                        .description("Time to apply one log entry")
                        .register(meters);
        commandsPerEntry =
                DistributionSummary.builder("partition_server_entry_commands")
                        .description("Commands packed into one log entry")
                        .register(meters);
        scanExaminedRows =
                DistributionSummary.builder("partition_server_scan_examined_rows")
                        .description("Rows one scan looked at")
                        .register(meters);
        scanRows =
                DistributionSummary.builder("partition_server_scan_rows")
                        .description("Rows one scan returned")
                        .register(meters);
        flush =
                Timer.builder("partition_server_flush")
                        .description("Time to write rows in memory to disk")
                        .register(meters);
    }

    public void answered(Answer answer) {
        answers.get(answer).increment();
    }

    public void applied(int commands, Duration took) {
        commandsPerEntry.record(commands);
        apply.record(took);
    }

    public void scanned(int examined, int returned) {
        scanExaminedRows.record(examined);
        scanRows.record(returned);
    }

    public void damageFound(Damage damage) {
        damages.get(damage).increment();
    }

    public void scrubbed(long bytes) {
        scrubbed.increment(bytes);
    }

    public void flushed(Duration took) {
        flush.record(took);
    }

    /** Bytes of rows on disk and in memory. */
    public void storeBytes(AtomicLong diskBytes, AtomicLong memoryBytes) {
        gauge("partition_server_store_disk_bytes", "Rows on disk", diskBytes, AtomicLong::get);
        gauge(
                "partition_server_store_memory_bytes",
                "Rows in memory that are not yet on disk",
                memoryBytes,
                AtomicLong::get);
    }

    /** Something that waits or is held, read whenever the metrics are. */
    public <T> void gauge(String name, String description, T source, ToLongFunction<T> value) {
        Gauge.builder(name, source, held -> (double) value.applyAsLong(held))
                .description(description)
                .strongReference(true)
                .register(meters);
    }
}
