package io.parterre.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Meters of copies of replicas in one direction. Safe for any thread. */
public final class CopyMeter {
    private final AtomicInteger running = new AtomicInteger();
    private final Counter bytes;
    private final Timer took;
    private final Map<CopyEnd, Counter> ends = new EnumMap<>(CopyEnd.class);

    /**
     * Makes the meters.
     *
     * @param direction label from a closed set
     */
    CopyMeter(MeterRegistry meters, String direction) {
        Gauge.builder("partition_server_copies_running", running, AtomicInteger::get)
                .description("Copies of replicas under way")
                .tag("direction", direction)
                .strongReference(true)
                .register(meters);
        bytes =
                Counter.builder("partition_server_copied_bytes_total")
                        .description("Bytes of rows in copies of replicas")
                        .tag("direction", direction)
                        .register(meters);
        took =
                Timer.builder("partition_server_copy_seconds")
                        .description("Time of a copy that was done")
                        .tag("direction", direction)
                        .register(meters);
        for (CopyEnd end : CopyEnd.values()) {
            ends.put(
                    end,
                    Counter.builder("partition_server_copies_total")
                            .description("Copies of replicas that ended, and how")
                            .tag("direction", direction)
                            .tag("outcome", PartitionServerMetrics.label(end))
                            .register(meters));
        }
    }

    public void begun() {
        running.incrementAndGet();
    }

    public void carried(long byteCount) {
        bytes.increment(byteCount);
    }

    /** Counts the end of a copy that was begun. */
    public void ended(CopyEnd end, Duration time) {
        running.decrementAndGet();
        ends.get(end).increment();
        if (end == CopyEnd.DONE) {
            took.record(time);
        }
    }

    /** Counts a copy that was refused before it was begun. */
    public void refused(CopyEnd why) {
        ends.get(why).increment();
    }
}
