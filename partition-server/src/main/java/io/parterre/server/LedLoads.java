package io.parterre.server;

import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.load.Observation;
import io.parterre.server.load.RangeLoad;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.raft.Replica;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Load of the ranges that this node leads. Kept in memory only: a new leader starts from zero.
 * {@link #observe} is for one thread; other threads may read the metrics.
 */
final class LedLoads {
    private static final Logger LOG = LoggerFactory.getLogger(LedLoads.class);

    private final LongSupplier nanoTicker;
    // Replaced by the observing thread only.
    private volatile Map<RangeId, Observation> observed = Map.of();

    LedLoads(LongSupplier nanoTicker, PartitionServerMetrics metrics) {
        this.nanoTicker = nanoTicker;
        metrics.gauge(
                "partition_server_led_reads_per_second",
                "Reads of the ranges led here (decayed rate)",
                this,
                loads -> loads.sum(RangeLoad::readsPerSecond));
        metrics.gauge(
                "partition_server_led_writes_per_second",
                "Writes of the ranges led here (decayed rate)",
                this,
                loads -> loads.sum(RangeLoad::writesPerSecond));
        metrics.gauge(
                "partition_server_led_bytes_per_second",
                "Bytes that the ranges led here take in and give out (decayed rate)",
                this,
                loads -> loads.sum(RangeLoad::bytesPerSecond));
        metrics.gauge(
                "partition_server_led_refused_per_second",
                "Calls that ranges led here could not keep up with (decayed rate)",
                this,
                loads -> loads.sum(RangeLoad::refusedPerSecond));
        metrics.gauge(
                "partition_server_led_cpu_cores",
                "Processors that the ranges led here keep busy (decayed rate)",
                this,
                loads -> loads.sum(RangeLoad::cpuPermille) / 1_000);
        metrics.gauge(
                "partition_server_hottest_range_operations_per_second",
                "Reads and writes of the range led here with most of them (decayed rate)",
                this,
                LedLoads::hottest);
    }

    /** Measures the load since the last call. */
    void observe(List<Replica> replicas) {
        long now = nanoTicker.getAsLong();
        Map<RangeId, Observation> next = new HashMap<>();
        for (Replica replica : replicas) {
            replica.leadTerm()
                    .ifPresent(
                            term -> {
                                Observation seen = observe(replica, term, now);
                                next.put(seen.range().rangeId(), seen);
                            });
        }
        observed = next;
        if (LOG.isDebugEnabled()) {
            next.values().forEach(LedLoads::log);
        }
    }

    private Observation observe(Replica replica, long term, long now) {
        RangeDescriptor range = replica.descriptor();
        Observation before = observed.get(range.rangeId());
        return before == null
                ? Observation.begin(range, term, replica.load(), now)
                : before.next(range, term, replica.load(), now);
    }

    private static void log(Observation seen) {
        RangeLoad load = seen.load();
        if (load.operationsPerSecond() >= 1 || load.refusedPerSecond() >= 1) {
            LOG.debug(
                    "load rangeId={} generation={} reads={} writes={} bytes={} refused={} cpuPermille={}"
                            + " observedMillis={} shape={} splitPoint={} splitPointPermille={}",
                    seen.range().rangeId(),
                    seen.range().generation(),
                    Math.round(load.readsPerSecond()),
                    Math.round(load.writesPerSecond()),
                    Math.round(load.bytesPerSecond()),
                    Math.round(load.refusedPerSecond()),
                    Math.round(load.cpuPermille()),
                    load.observed().toMillis(),
                    load.profile().shape(),
                    load.profile().splitPoint().map(Object::toString).orElse("-"),
                    load.profile().splitPointPermille());
        }
    }

    /**
     * Returns the load as last measured; empty if the range was not led here then, or had another
     * descriptor.
     */
    Optional<RangeLoad> of(RangeDescriptor range) {
        return Optional.ofNullable(observed.get(range.rangeId()))
                .filter(seen -> seen.range().equals(range))
                .map(Observation::load);
    }

    private long sum(ToDoubleFunction<RangeLoad> part) {
        return Math.round(
                observed.values().stream().map(Observation::load).mapToDouble(part).sum());
    }

    private long hottest() {
        return Math.round(
                observed.values().stream()
                        .map(Observation::load)
                        .mapToDouble(RangeLoad::operationsPerSecond)
                        .max()
                        .orElse(0));
    }
}
