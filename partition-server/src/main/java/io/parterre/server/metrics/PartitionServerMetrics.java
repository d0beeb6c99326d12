package io.parterre.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.parterre.error.BusyReason;
import io.parterre.proto.manager.Order;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

/**
 * Metrics of the role. Labels come from closed sets, so their number does not grow with data. Safe
 * for any thread.
 */
public final class PartitionServerMetrics {
    /** Kind of a request's answer. */
    public enum Answer {
        ROW,
        SCAN_PAGE,
        WRITTEN,
        REJECTED,
        SCOPE_FENCED,
        NOT_LEADER,
        STALE_RANGE,
        BUSY,
        IN_DOUBT,
        NO_DATA,
        FAILED
    }

    /** Kind of a damaged file. */
    public enum Damage {
        ROWS,
        LOG
    }

    private static final List<BusyReason> REFUSALS =
            List.of(
                    BusyReason.HOT_PARTITION,
                    BusyReason.RANGE_CAP,
                    BusyReason.MERGE,
                    BusyReason.NODE_MEMORY,
                    BusyReason.NODE_QUEUE,
                    BusyReason.DISK,
                    BusyReason.DISK_SPACE,
                    BusyReason.CLOCK);

    private final Map<Answer, Counter> answers = new EnumMap<>(Answer.class);
    private final Map<BusyReason, Counter> refusals = new EnumMap<>(BusyReason.class);
    private final Counter joinedReads;
    private final Timer apply;
    private final Timer applyWait;
    private final DistributionSummary commandsPerEntry;
    private final DistributionSummary scanExaminedRows;
    private final DistributionSummary scanRows;
    private final Timer flush;
    private final CopyMeter copiesSent;
    private final CopyMeter copiesTaken;
    private final CopyMeter backupsRead;
    private final CopyMeter changesRead;
    private final DamageMeters damages;
    private final OrderMeters orders;
    private final MeterRegistry meters;

    public PartitionServerMetrics(MeterRegistry meters) {
        this.meters = meters;
        for (Answer answer : Answer.values()) {
            answers.put(
                    answer,
                    Counter.builder("partition_server_requests_total")
                            .description("Requests answered, by kind of answer")
                            .tag("outcome", label(answer))
                            .register(meters));
        }
        for (BusyReason reason : REFUSALS) {
            refusals.put(
                    reason,
                    Counter.builder("partition_server_refusals_total")
                            .description("Requests refused as busy, by reason")
                            .tag("reason", reason.label())
                            .register(meters));
        }
        joinedReads =
                Counter.builder("partition_server_joined_reads_total")
                        .description("Point reads answered with what another one of them has read")
                        .register(meters);
        apply =
                Timer.builder("partition_server_apply_seconds")
                        .description("Time to apply one log entry")
                        .register(meters);
        applyWait =
                Timer.builder("partition_server_apply_wait_seconds")
                        .description("Time that a range waited for memory to apply in")
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
                Timer.builder("partition_server_flush_seconds")
                        .description("Time to write rows in memory to disk")
                        .register(meters);
        copiesSent = new CopyMeter(meters, "sent");
        copiesTaken = new CopyMeter(meters, "taken");
        backupsRead = new CopyMeter(meters, "backup");
        changesRead = new CopyMeter(meters, "archive");
        damages = new DamageMeters(meters);
        orders = new OrderMeters(meters);
    }

    /** Returns the value of a label. */
    static String label(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** Counts a request that was refused at once; reasons that servers do not have are ignored. */
    public void refused(BusyReason reason) {
        Counter counter = refusals.get(reason);
        if (counter != null) {
            counter.increment();
        }
    }

    /** Counts a point read that was answered by an equal read. */
    public void joined() {
        joinedReads.increment();
    }

    /** Kinds of changes that a leader makes to a range. */
    public enum MemberStep {
        MEMBERS("members"),
        LEAD("leadership"),
        GROUP("group"),
        BOUNDS("bounds");

        private final String label;

        MemberStep(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    /** How such a change ended. */
    public enum ChangeEnd {
        DONE,
        /** There was nothing to do, or the change has to wait. */
        NOTHING,
        FAILED
    }

    /** How an order of the manager ended. */
    public enum OrderEnd {
        /** Carried out or begun, or there was nothing to do. */
        DONE,
        /** The range differs from the manager's assumption; the report states the reason. */
        REFUSED,
        FAILED
    }

    /** Returns the meter of copies of this node's replicas for others. */
    public CopyMeter copiesSent() {
        return copiesSent;
    }

    /** Returns the meter of copies of other nodes' replicas. */
    public CopyMeter copiesTaken() {
        return copiesTaken;
    }

    /** Returns the meter of change records that are read for an archive. */
    public CopyMeter changesRead() {
        return changesRead;
    }

    /** Returns the meter of rows that operators' backups read. */
    public CopyMeter backupsRead() {
        return backupsRead;
    }

    /** Counts the end of an order of the manager. */
    public void ordered(Order.OrderCase kind, OrderEnd end) {
        orders.ordered(kind, end);
    }

    /** Counts the end of a change of a range's members, leader, Raft group or bounds. */
    public void changed(MemberStep step, ChangeEnd end, Duration took) {
        orders.changed(step, end, took);
    }

    public void answered(Answer answer) {
        answers.get(answer).increment();
    }

    public void applied(int commands, Duration took) {
        commandsPerEntry.record(commands);
        apply.record(took);
    }

    /** Records a range's wait for memory that other ranges used to apply entries. */
    public void applyWaited(Duration took) {
        applyWait.record(took);
    }

    public void scanned(int examined, int returned) {
        scanExaminedRows.record(examined);
        scanRows.record(returned);
    }

    public void damageFound(Damage damage) {
        damages.found(damage);
    }

    public void scrubbed(long bytes) {
        damages.scrubbed(bytes);
    }

    /** Counts a comparison of a led range's members, with or without a verdict. */
    public void compared(Comparison result) {
        damages.compared(result);
    }

    /** Records that a replica was read for a comparison, led by this node or another. */
    public void comparedRows(long bytes, Duration took) {
        damages.comparedRows(bytes, took);
    }

    public void flushed(Duration took) {
        flush.record(took);
    }

    /** Registers gauges of the bytes of rows on disk and in memory. */
    public void storeBytes(AtomicLong diskBytes, AtomicLong memoryBytes) {
        gauge("partition_server_store_disk_bytes", "Rows on disk", diskBytes, AtomicLong::get);
        gauge(
                "partition_server_store_memory_bytes",
                "Rows in memory that are not yet on disk",
                memoryBytes,
                AtomicLong::get);
    }

    /**
     * Registers a gauge of something that waits or is held, computed whenever the metrics are read.
     */
    public <T> void gauge(String name, String description, T source, ToLongFunction<T> value) {
        Gauge.builder(name, source, held -> (double) value.applyAsLong(held))
                .description(description)
                .strongReference(true)
                .register(meters);
    }

    /**
     * Registers a counter of something counted elsewhere, computed whenever the metrics are read.
     */
    public <T> void counter(String name, String description, T source, ToLongFunction<T> value) {
        FunctionCounter.builder(name, source, counted -> (double) value.applyAsLong(counted))
                .description(description)
                .register(meters);
    }
}
